//! Full disks and read-only media: real ones, small and mounted for the test, where the system lets a test mount.

use crate::harness::{Home, Run, log, run};

/// Runs `script` with a file system of `size` mounted at `disk` below the home; `None` where that is not allowed.
fn with_disk(home: &Home, size: &str, script: &str) -> Option<Run> {
    std::fs::create_dir_all(home.path("disk")).unwrap();
    let mount = format!("mount -t tmpfs -o size={size},mode=0700 none disk");
    let mounted = |then: &str| {
        let mut command = home.program("/usr/bin/env");
        command.args([
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "unshare",
            "--map-root-user",
            "--mount",
            "sh",
            "-ec",
        ]);
        command.arg(format!("{mount}\n{then}"));
        command.env("CAVEMAN_CCR_DB", home.path("disk/ccr.db"));
        command.env("CAVEMAN", env!("CARGO_BIN_EXE_caveman-mcp"));
        run(command, b"")
    };
    let tried = mounted("true").stderr();
    if tried.is_empty() {
        return Some(mounted(script));
    }
    println!("not asked: no file system may be mounted here: {tried}");
    None
}

#[test]
fn a_full_disk_passes_through_and_keeps_what_it_has() {
    let home = Home::new();
    (0..60).for_each(|seed| std::fs::write(home.path(&format!("{seed}.log")), log(seed)).unwrap());
    let script = "for seed in $(seq 0 59); do $CAVEMAN compress --json $seed.log 2>>said; done
        $CAVEMAN store verify >&2; $CAVEMAN store info --json";
    let Some(ran) = with_disk(&home, "600k", script) else { return };
    let lines: Vec<serde_json::Value> =
        ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 61, "{ran}");
    let stored = lines.iter().filter(|line| line["recovery_handle"].is_string()).count();
    let refused: Vec<_> = lines.iter().filter(|line| line["reason"] == "not_stored").collect();
    assert!(stored > 3 && refused.len() > 3 && stored + refused.len() == 60, "{ran}");
    for line in refused {
        assert!(line["note"].as_str().unwrap().starts_with("cave_store_full"), "{line}");
    }
    assert_eq!(lines[60]["entries"], stored, "{ran}");
}

#[test]
fn read_only_media_are_read() {
    let home = Home::new();
    std::fs::write(home.path("a.log"), log(1)).unwrap();
    let script = "$CAVEMAN compress --json a.log | grep -o 'ccr_[0-9a-f]*' | head -1 > handle
        mount -o remount,ro disk
        $CAVEMAN retrieve $(cat handle)
        ! $CAVEMAN retrieve ccr_00000000000000000000000000000000 2> unknown
        $CAVEMAN compress --json a.log 2> said | grep -q '\"reason\":\"not_stored\"'
        $CAVEMAN store verify >&2
        $CAVEMAN stats --json >&2
        CAVEMAN_CCR_DB=disk/folder/other.db $CAVEMAN serve < stats > stats_said";
    std::fs::write(
        home.path("stats"),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caveman_stats"}}"#,
    )
    .unwrap();
    let Some(ran) = with_disk(&home, "4m", script) else { return };
    assert_eq!(ran.text(), log(1));
    let said = |name: &str| std::fs::read_to_string(home.path(name)).unwrap();
    assert!(said("unknown").contains("cave_unknown_handle"), "{}", said("unknown"));
    assert!(said("said").contains("nothing can be written"), "{}", said("said"));
    assert!(ran.stderr().contains("1 originals"), "{ran}");
    let stats = said("stats_said");
    assert!(stats.contains("cannot create the database in disk of the recovery store"), "{stats}");
}
