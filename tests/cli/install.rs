//! `install`, `uninstall`, `doctor` on every host's configuration as users have them: after both, every byte is as before.

use crate::harness::{Home, Run, log, run};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A host, the file of its servers and of its hook under a home, and the key of its servers.
const HOSTS: &[(&str, &str, Option<&str>, &str)] = &[
    ("claude-code", ".claude.json", Some(".claude/settings.json"), "mcpServers"),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", None, "mcpServers"),
    ("cursor", ".cursor/mcp.json", Some(".cursor/hooks.json"), "mcpServers"),
    ("vscode", ".config/Code/User/mcp.json", None, "servers"),
    ("gemini", ".gemini/settings.json", Some(".gemini/settings.json"), "mcpServers"),
    (
        "opencode",
        ".config/opencode/opencode.json",
        Some(".config/opencode/plugins/caveman.js"),
        "mcp",
    ),
    ("windsurf", ".codeium/windsurf/mcp_config.json", None, "mcpServers"),
    ("zed", ".config/zed/settings.json", None, "context_servers"),
    ("cline", ".cline/data/settings/cline_mcp_settings.json", None, "mcpServers"),
];

/// Configurations as users have them; `KEY` stands for the key of the servers.
const SAMPLES: &[(&str, &str)] = &[
    ("empty", ""),
    ("blank", " \r\n\r\n"),
    ("braces", "{}"),
    ("no servers", "{\n    \"theme\": \"dark\"\n}\n"),
    ("no server", "{\n  \"KEY\": { },\n  \"theme\": \"dark\"\n}"),
    (
        "servers",
        "{\n  \"KEY\": {\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n        \"files\"\n      ]\n    }\n  }\n}\n",
    ),
    (
        "comments",
        "// mine\n{\n  /* servers */ \"KEY\": {\n    \"files\": {\"command\": \"x\"}, // keep \"this\", {too}\n    // \"old\": {},\n  }, // and a comma\n}\n// end",
    ),
    (
        "tabs",
        "{\n\t\"KEY\": {\n\t\t\"files\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t},\n\t\"hooks\": {\n\t\t\"Stop\": []\n\t}\n}\n",
    ),
    ("mark", "\u{feff}{\n  \"KEY\": {}\n}\n"),
    ("crlf", "{\r\n  \"KEY\": {\r\n    \"files\": {\"command\": \"x\"}\r\n  }\r\n}\r\n"),
    (
        "one line",
        "{\"KEY\":{\"files\":{\"command\":\"x\"}},\"hooks\":{\"PostToolUse\":[{\"hooks\":[]}],\"AfterTool\":[]}}",
    ),
    ("letters", "{\n  \"größe\": \"日本\", \"KEY\": {\"é\": {\"command\": \"ü\"}}\n}\n"),
];

const TOML: &[(&str, &str)] = &[
    ("empty", ""),
    ("settings", "# mine\nmodel = \"x\" # here\n\n[profiles.a]\nmodel = 'y'"),
    (
        "servers",
        "[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"files\",\n]\n\n\n",
    ),
    ("crlf", "model = \"x\"\r\n\r\n[mcp_servers.files]\r\ncommand = \"npx\"\r\n"),
    ("mark", "\u{feff}model = \"x\"\n"),
    ("header in a text", "note = \"\"\"\n[mcp_servers.caveman]\n\"\"\"\n"),
];

fn put(home: &Home, file: &str, text: &str) -> PathBuf {
    let path = home.path(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// Installs into a file, installs again, uninstalls.
fn round(home: &Home, host: &str, files: &[(&str, &str)], hook: bool) {
    let paths: Vec<PathBuf> = files.iter().map(|(file, text)| put(home, file, text)).collect();
    let arguments: Vec<&str> =
        ["install", host].into_iter().chain(hook.then_some("--hook")).collect();
    let done = home.run(&arguments, b"");
    assert!(done.text().contains("compresses and gives back"), "{done}");
    let installed: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    for ((path, (_, before)), after) in paths.iter().zip(files).zip(&installed) {
        let after = String::from_utf8_lossy(after);
        assert!(after.contains("caveman-mcp"), "{}: {after}", path.display());
        assert_eq!(after.contains("\r\n"), before.contains("\r\n"), "{after}");
        // Everything that the user wrote is there still, in order.
        let mut left = after.chars();
        let kept = before.chars().filter(|c| !c.is_whitespace()).all(|c| left.any(|d| c == d));
        assert!(kept, "{before}\n{after}");
    }
    home.run(&arguments, b"").done();
    let again: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(again == installed, "{host}: installing twice changes nothing more");
    let doctor = home.run(&["doctor", host], b"");
    assert!(doctor.text().contains(&format!("good   {host}: ")), "{doctor}");
    home.run(&["uninstall", host], b"").done();
    for (path, (_, before)) in paths.iter().zip(files) {
        let after = fs::read_to_string(path).unwrap();
        assert_eq!(&after, before, "{host}: {}", path.display());
        let backup = path.with_file_name(format!(
            "{}.caveman-backup",
            path.file_name().unwrap().to_str().unwrap()
        ));
        assert!(!backup.exists(), "{host}: the backup has served");
    }
}

#[test]
fn after_install_and_uninstall_every_byte_is_as_before() {
    for (host, file, hook_file, key) in HOSTS {
        let home = Home::new();
        for (name, sample) in SAMPLES {
            println!("{host}: {name}");
            let sample = sample.replace("KEY", key);
            round(&home, host, &[(file, &sample)], false);
            match hook_file {
                Some(hook_file) if hook_file == file => {
                    round(&home, host, &[(file, &sample)], true)
                }
                Some(hook_file) if hook_file.ends_with(".json") => {
                    round(&home, host, &[(file, &sample), (hook_file, &sample)], true);
                }
                _ => {}
            }
        }
    }
    let home = Home::new();
    for (name, sample) in TOML {
        println!("codex: {name}");
        round(&home, "codex", &[(".codex/config.toml", sample)], false);
        for hooks in ["", "{}\n", "{\n  \"hooks\": {\"PostToolUse\": [{\"hooks\": []}]}\n}\n"] {
            round(
                &home,
                "codex",
                &[(".codex/config.toml", sample), (".codex/hooks.json", hooks)],
                true,
            );
        }
    }
}

#[test]
fn what_was_not_there_is_gone_again() {
    let files = HOSTS.iter().map(|(host, file, hook, _)| (*host, *file, *hook));
    for (host, file, hook) in
        files.chain([("codex", ".codex/config.toml", Some(".codex/hooks.json"))])
    {
        let home = Home::new();
        let arguments: Vec<&str> =
            ["install", host].into_iter().chain(hook.map(|_| "--hook")).collect();
        home.run(&arguments, b"").done();
        for file in [Some(file), hook].into_iter().flatten() {
            assert!(home.path(file).exists(), "{host}: {file}");
        }
        let removed = home.run(&["uninstall", host], b"");
        assert!(removed.text().contains(": removed\n"), "{removed}");
        for file in [Some(file), hook].into_iter().flatten() {
            assert!(!home.path(file).exists(), "{host}: {file}");
        }
        assert_eq!(
            home.run(&["uninstall", host], b"").text(),
            format!("{}: as it should be\n", home.path(file).display())
                + &hook.filter(|hook| *hook != file).map_or_else(String::new, |hook| format!(
                    "{}: as it should be\n",
                    home.path(hook).display()
                ))
        );
    }
}

#[test]
fn what_the_user_wrote_meanwhile_stays() {
    let home = Home::new();
    let path = put(&home, ".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    home.run(&["install", "cursor"], b"").done();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replacen(
            "\"mcpServers\": {",
            "\"mcpServers\": {\n    \"new\": {\"command\": \"n\"},",
            1,
        ),
    )
    .unwrap();
    home.run(&["uninstall", "cursor"], b"").done();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\n  \"mcpServers\": {\n    \"new\": {\"command\": \"n\"}\n  }\n}\n"
    );
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let home = Home::new();
    let path = put(&home, ".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    let shown = home.run(&["install", "cursor", "--dry-run"], b"");
    assert!(
        shown
            .text()
            .contains("\n-  \"mcpServers\": {}\n+  \"mcpServers\": {\n+    \"caveman\": {\n"),
        "{shown}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\n  \"mcpServers\": {}\n}\n");
    assert!(!home.path(".caveman").exists());
}

#[test]
fn the_environment_of_the_host_says_where() {
    for (host, variable, folder, file) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "cc", "cc/.claude.json"),
        ("codex", "CODEX_HOME", "cx", "cx/config.toml"),
        ("gemini", "GEMINI_CLI_HOME", "gm", "gm/.gemini/settings.json"),
        ("opencode", "OPENCODE_CONFIG", "oc.json", "oc.json"),
        ("opencode", "OPENCODE_CONFIG_DIR", "oc", "oc/opencode.json"),
        ("zed", "XDG_CONFIG_HOME", "xdg", "xdg/zed/settings.json"),
        ("vscode", "VSCODE_PORTABLE", "vp", "vp/user-data/User/mcp.json"),
        ("cline", "CLINE_DIR", "cl", "cl/data/settings/cline_mcp_settings.json"),
    ] {
        let home = Home::new();
        let mut command = home.caveman(&["install", host]);
        command.env(variable, home.path(folder));
        run(command, b"").done();
        assert!(home.path(file).exists(), "{host}: {file}");
    }
}

#[test]
fn a_project_has_its_own_configuration() {
    let home = Home::new();
    home.run(&["install", "claude-code", "--scope", "project", "--hook"], b"").done();
    assert!(home.path(".mcp.json").exists() && home.path(".claude/settings.json").exists());
    assert!(!home.path(".claude.json").exists());
    home.run(&["install", "windsurf", "--scope", "project"], b"")
        .fails(1, "no configuration by project");
    home.run(&["install", "windsurf", "--scope", "galaxy"], b"").fails(2, "galaxy");
    home.run(&["install", "windsurf", "--hook"], b"").fails(2, "no hook");
    home.run(&["install", "emacs"], b"").fails(2, "the hosts are claude-code, ");
}

#[test]
fn what_cannot_be_edited_is_not_touched() {
    let home = Home::new();
    let check = |file: &str, text: &str, host: &str, says: &str| {
        let path = put(&home, file, text);
        for verb in ["install", "uninstall"] {
            home.run(&[verb, host], b"").fails(1, says);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    };
    check(".cursor/mcp.json", "{\n  \"mcpServers\": {,}\n}\n", "cursor", "line 2");
    check(".codex/config.toml", "a = 1\nb =\n", "codex", "line 2");
    let path = put(&home, ".codeium/windsurf/mcp_config.json", "{\"mcpServers\": []}");
    home.run(&["install", "windsurf"], b"").fails(1, "is not an object");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"mcpServers\": []}");
}

#[test]
fn a_read_only_file_stays() {
    let home = Home::new();
    let path = put(&home, ".cursor/mcp.json", "{}\n");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    home.run(&["install", "cursor"], b"").fails(1, "is read-only");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = Home::new();
    let target = put(&home, "dotfiles/mcp.json", "{}\n");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(home.path(".cursor")).unwrap();
    symlink(&target, home.path(".cursor/mcp.json")).unwrap();
    home.run(&["install", "cursor"], b"").done();
    assert!(home.path(".cursor/mcp.json").is_symlink());
    let own = fs::metadata(home.path(".caveman")).unwrap().permissions().mode();
    assert_eq!(own & 0o777, 0o700);
    assert!(fs::read_to_string(&target).unwrap().contains("caveman"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_server_that_does_not_work_is_not_left_behind() {
    let home = Home::new();
    let path = put(&home, ".cursor/mcp.json", "{}\n");
    for program in ["/none/caveman-mcp", "/bin/false", "/bin/cat"] {
        home.run(&["install", "cursor", "--command", program], b"").fails(1, "nothing was changed");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
        assert!(!home.path(".cursor/mcp.json.caveman-backup").exists());
    }
}

#[test]
fn many_at_once_leave_one_server() {
    let home = Home::new();
    let path = put(&home, ".cursor/mcp.json", "{}\n");
    let runs: Vec<_> = (0..6)
        .map(|_| home.caveman(&["install", "cursor"]))
        .map(|command| std::thread::spawn(move || run(command, b"")))
        .collect();
    let done: Vec<Run> = runs.into_iter().map(|run| run.join().unwrap()).collect();
    assert!(done.iter().any(|run| run.stderr().is_empty()), "one gets through");
    let configuration: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(configuration["mcpServers"].as_object().unwrap().len(), 1);
    home.run(&["uninstall", "cursor"], b"").done();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
}

/// `doctor cursor` after `break_it`: status 1 and one line that says so.
fn diagnosed(says: &str, break_it: impl FnOnce(&Home)) {
    let home = Home::new();
    home.run(&["install", "cursor", "--hook"], b"").done();
    home.run(&["compress"], log(1).as_bytes()).done();
    let healthy = home.run(&["doctor", "cursor"], b"");
    assert!(!healthy.text().contains("wrong"), "{healthy}");
    break_it(&home);
    let doctor = home.run(&["doctor", "cursor"], b"");
    let report = String::from_utf8_lossy(doctor.status(1)).into_owned();
    let wrong: Vec<&str> = report.lines().filter(|line| line.starts_with("wrong")).collect();
    assert_eq!(wrong.len(), 1, "{says}: {doctor}");
    assert!(wrong[0].contains(says), "{says}: {doctor}");
    let json = home.run(&["doctor", "cursor", "--json"], b"");
    let findings: Value = serde_json::from_slice(json.status(1)).unwrap();
    assert!(
        findings.as_array().unwrap().iter().any(|finding| finding["ok"] == false),
        "{findings}"
    );
}

fn edit(home: &Home, file: &str, change: impl Fn(&str) -> String) {
    let path = home.path(file);
    fs::write(&path, change(&fs::read_to_string(&path).unwrap())).unwrap();
}

/// The server entry with another command.
fn with_command(home: &Home, command: &str) {
    edit(home, ".cursor/mcp.json", |text| {
        let mut json: Value = serde_json::from_str(text).unwrap();
        json["mcpServers"]["caveman"]["command"] = command.into();
        json.to_string()
    });
}

#[cfg(unix)]
fn program(home: &Home, name: &str, text: &str, mode: u32) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = put(home, name, text);
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn doctor_names_what_is_wrong_in_a_configuration() {
    diagnosed("line 1, column 2", |home| edit(home, ".cursor/mcp.json", |_| "{,}".to_owned()));
    diagnosed("the hook and not the server", |home| {
        edit(home, ".cursor/mcp.json", |_| "{}".to_owned())
    });
    diagnosed("switched off", |home| {
        edit(home, ".cursor/mcp.json", |text| {
            text.replacen("\"args\"", "\"disabled\": true, \"args\"", 1)
        });
    });
    diagnosed("/none/caveman-mcp does not exist", |home| {
        edit(home, ".cursor/hooks.json", |text| {
            let mut json: Value = serde_json::from_str(text).unwrap();
            json["hooks"]["postToolUse"][0]["command"] = "/none/caveman-mcp hook cursor".into();
            json.to_string()
        });
    });
    diagnosed("hooks.json: line 1", |home| edit(home, ".cursor/hooks.json", |_| "[".to_owned()));
}

#[cfg(unix)]
#[test]
fn doctor_names_what_is_wrong_with_a_program() {
    diagnosed("/none/caveman-mcp does not exist", |home| with_command(home, "/none/caveman-mcp"));
    diagnosed("is not executable", |home| {
        let path = program(home, "caveman-mcp", "#!/bin/sh\n", 0o644);
        with_command(home, &path);
    });
    diagnosed("ends instead of answering initialize", |home| {
        let path = program(home, "caveman-mcp", "#!/bin/sh\nexit 1\n", 0o755);
        with_command(home, &path);
    });
    diagnosed("does not speak MCP", |home| {
        let path = program(home, "caveman-mcp", "#!/bin/sh\necho hello\ncat >/dev/null\n", 0o755);
        with_command(home, &path);
    });
    diagnosed("is another server", |home| {
        let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"files\",\"version\":\"1\"}}}";
        let path = program(
            home,
            "caveman-mcp",
            &format!("#!/bin/sh\nread line\necho '{answer}'\ncat >/dev/null\n"),
            0o755,
        );
        with_command(home, &path);
    });
    diagnosed("is version 0.0.1, this is", |home| {
        let real = env!("CARGO_BIN_EXE_caveman-mcp");
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("#!/bin/sh\nexec {real} serve | sed -u 's/\"{version}\"/\"0.0.1\"/'\n");
        let path = program(home, "caveman-mcp", &text, 0o755);
        with_command(home, &path);
    });
}

#[test]
fn doctor_names_what_is_wrong_with_the_store() {
    let home = Home::new();
    home.run(&["install", "cursor"], b"").done();
    home.run(&["compress"], log(1).as_bytes()).done();
    let says = |name: &str, value: &str, says: &str| {
        let mut command = home.caveman(&["doctor", "cursor"]);
        command.env(name, value);
        let doctor = run(command, b"");
        let report = String::from_utf8_lossy(doctor.status(1)).into_owned();
        assert!(
            report.lines().any(|line| line.starts_with("wrong") && line.contains(says)),
            "{doctor}"
        );
    };
    says("CAVEMAN_MCP_EPHEMERAL", "1", "originals are lost");
    says("CAVEMAN_CCR_DB", home.path(".").to_str().unwrap(), "store: ");
    says("CAVEMAN_CCR_MAX_BYTES", "100", "is full");
    says("CAVEMAN_CCR_MAX_BYTES", "lots", "environment: CAVEMAN_CCR_MAX_BYTES");
    let db = home.db();
    let mut bytes = fs::read(&db).unwrap();
    for byte in bytes.iter_mut().skip(100).take(4000) {
        *byte = 0xff;
    }
    fs::write(&db, bytes).unwrap();
    says("CAVEMAN_LOG", "warn", "store: ");
    home.run(&["doctor", "zed"], b"").status(1);
}
