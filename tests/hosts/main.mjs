// What the model of a real host receives, with us and without: Claude Code, Codex, opencode and Gemini CLI from npm, against
// model APIs on loopback.
//
//   node tests/hosts/main.mjs [path to caveman-mcp [host]]
//
// Not part of any other run: the hosts are large and not ours. They are installed into CAVEMAN_HOSTS, else a new folder of the
// system's temporary one. Each task runs twice in a fresh home, once as it is and once after `caveman-mcp install HOST --hook`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anthropic, chat, gemini, openai } from './model.mjs';

const VERSIONS = {
  '@anthropic-ai/claude-code': '2.1.332',
  '@openai/codex': '0.171.0',
  'opencode-ai': '1.18.33',
  '@google/gemini-cli': '0.61.0',
};
const LIMIT_MS = 120_000;

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const caveman = resolve(process.argv[2] ?? join(root, 'target/release/caveman-mcp'));
const folder = process.env.CAVEMAN_HOSTS ?? mkdtempSync(join(tmpdir(), 'caveman-hosts-'));

const install = () => {
  const wanted = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  const isThere = ([name, version]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
  };
  if (Object.entries(VERSIONS).every(isThere)) return;
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...wanted], { stdio: 'inherit' });
};

/** The files that the tasks read, in a folder that a host works in. */
const project = (path) => {
  mkdirSync(path, { recursive: true });
  const log = readFileSync(join(root, 'tests/samples/checkout.log'), 'utf8');
  // Below the length at which Claude Code moves an output to a file.
  writeFileSync(join(path, 'checkout.log'), log.split('\n').slice(0, 300).join('\n') + '\n');
  cpSync(join(root, 'tests/samples/orders.json'), join(path, 'orders.json'));
  const line = (name, state, n) => `${`${name} ${state}`.padEnd(73)}[${`${Math.floor((n * 100) / 241)}`.padStart(3)}%]`;
  const tests = Array.from({ length: 240 }, (_, n) => line(`tests/test_orders.py::test_order_${n}_is_priced`, 'PASSED', n));
  tests.splice(150, 0, line('tests/test_refunds.py::test_half_cents', 'FAILED', 150));
  const report = [
    '============================= test session starts ==============================',
    'platform linux -- Python 3.12.3, pytest-8.3.3, pluggy-1.5.0 -- /usr/bin/python3',
    'cachedir: .pytest_cache',
    'rootdir: /home/ann/shop',
    'collected 241 items',
    '',
    ...tests,
    '',
    '=================================== FAILURES ===================================',
    '_______________________________ test_half_cents ________________________________',
    '',
    '    def test_half_cents():',
    '>       assert refund(10.005) == 10.01',
    'E       assert 10.0 == 10.01',
    '',
    'tests/test_refunds.py:12: AssertionError',
    '=========================== short test summary info ============================',
    'FAILED tests/test_refunds.py::test_half_cents - assert 10.0 == 10.01',
    '======================== 1 failed, 240 passed in 3.21s =========================',
  ];
  writeFileSync(join(path, 'report.txt'), report.join('\n') + '\n');
};

/** What is asked, and what the model has to see to answer. */
const TASKS = [
  { name: 'a log: which payment was declined?', file: 'checkout.log', sees: ['order=40311', 'declined'], asks: 'order 40200' },
  { name: 'a test run: what failed, where, why?', file: 'report.txt', sees: ['test_half_cents', 'assert 10.0 == 10.01', 'tests/test_refunds.py:12'], asks: 'test_order_77' },
  { name: 'a file of JSON: how many orders, which fields?', file: 'orders.json', sees: ['ord-'], asks: 'ord-1017', reads: true },
];

/** The handle that a shortened text names. */
const handleIn = (text) => /ccr_[0-9a-f]{32}/.exec(text ?? '')?.[0];

const HOSTS = [
  {
    name: 'Claude Code',
    id: 'claude-code',
    model: anthropic,
    call: ({ file, reads }, cwd) =>
      reads
        ? { name: 'Read', input: { file_path: join(cwd, file) } }
        : { name: 'Bash', input: { command: `cat ${file}`, description: 'Show the file' } },
    retrieve: (handle, query) => ({ name: 'mcp__caveman__caveman_retrieve', input: { recovery_handle: handle, query } }),
    prepare: () => {},
    command: ['@anthropic-ai/claude-code', 'claude', ['-p', 'go', '--allowedTools', 'Bash,Read,mcp__caveman__caveman_retrieve']],
    environment: (url, home) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CONFIG_DIR: home,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    name: 'Codex',
    id: 'codex',
    model: openai,
    call: ({ file }) => ({ name: 'exec_command', arguments: JSON.stringify({ cmd: `cat ${file}` }) }),
    retrieve: (handle, query) => ({
      name: 'caveman_retrieve',
      namespace: 'mcp__caveman',
      arguments: JSON.stringify({ recovery_handle: handle, query }),
    }),
    prepare: (url, home) => {
      const provider = `name = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n`;
      // Codex cuts what a tool prints, before hooks too, unless it is told to let more through.
      writeFileSync(join(home, 'config.toml'), `tool_output_token_limit = 40000\nmodel = "gpt-5"\nmodel_provider = "mock"\n\n[model_providers.mock]\n${provider}`);
    },
    command: [
      '@openai/codex',
      'codex',
      ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox', 'go'],
    ],
    environment: (_, home) => ({ CODEX_HOME: home, MOCK_KEY: 'none' }),
  },
  {
    name: 'opencode',
    id: 'opencode',
    model: chat,
    call: ({ file }) => ({
      name: 'bash',
      arguments: JSON.stringify({ command: `cat ${file}`, description: 'Show the file' }),
    }),
    retrieve: (handle, query) => ({
      name: 'caveman_caveman_retrieve',
      arguments: JSON.stringify({ recovery_handle: handle, query }),
    }),
    prepare: (url, home) => {
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const provider = { mock: { npm: '@ai-sdk/openai-compatible', name: 'Mock', options, models: { mock: { name: 'Mock' } } } };
      mkdirSync(join(home, '.config/opencode'), { recursive: true });
      writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify({ provider }));
    },
    command: ['opencode-ai', 'opencode', ['run', '--model', 'mock/mock', 'go']],
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  },
  {
    name: 'Gemini CLI',
    id: 'gemini',
    model: gemini,
    call: ({ file }) => ({ name: 'run_shell_command', args: { command: `cat ${file}`, description: 'Show the file' } }),
    retrieve: (handle, query) => ({ name: 'mcp_caveman_caveman_retrieve', args: { recovery_handle: handle, query } }),
    prepare: (_, home) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const security = { auth: { selectedType: 'gemini-api-key' } };
      writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({ security }));
    },
    command: ['@google/gemini-cli', 'gemini', ['--yolo', '--model', 'gemini-2.5-pro', '--prompt', 'go']],
    environment: (url) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
  },
];

/** Runs a program of the hosts' folder to its end. */
const run = (name, args, options) =>
  new Promise((done, failed) => {
    const child = spawn(join(folder, 'node_modules/.bin', name), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    for (const pipe of [child.stdout, child.stderr]) pipe.on('data', (data) => (said += data));
    child.on('error', failed);
    child.on('close', () => {
      clearTimeout(timer);
      done(said);
    });
  });

const tokens = (text) => {
  const env = { PATH: process.env.PATH, CAVEMAN_MCP_EPHEMERAL: '1', CAVEMAN_LOG: 'off' };
  return JSON.parse(execFileSync(caveman, ['compress', '--json'], { input: text, env, maxBuffer: 2 ** 26 })).tokens_before;
};

/** What the model receives for one task; with us, also what one retrieve brings. */
const received = async (host, task, withUs) => {
  const home = mkdtempSync(join(tmpdir(), 'caveman-home-'));
  const cwd = join(home, 'project');
  project(cwd);
  const plan = [host.call(task, cwd)];
  if (withUs) plan.push(([first]) => handleIn(first) && host.retrieve(handleIn(first), task.asks));
  const model = await host.model(plan);
  const env = { PATH: process.env.PATH, HOME: home, ...host.environment(model.url, home) };
  host.prepare(model.url, home);
  if (withUs) execFileSync(caveman, ['install', host.id, '--hook'], { env, cwd, stdio: 'pipe' });
  const said = await run(host.command[1], host.command[2], { env, cwd });
  model.close();
  if (model.seen.length === 0) throw new Error(`${host.name} gave the model nothing; it said:\n${said}`);
  return model.seen;
};

install();
const rows = [];
let isGood = true;
for (const host of HOSTS.filter(({ id }) => !process.argv[3] || process.argv[3] === id)) {
  for (const task of TASKS) {
    const [without] = await received(host, task, false);
    const [withUs, view] = await received(host, task, true);
    const sees = (text) => (task.sees.every((what) => text.includes(what)) ? 'yes' : 'no');
    const [before, after] = [tokens(without), tokens(withUs)];
    rows.push(`| ${host.name} | ${task.name} | ${before} | ${after} | ${Math.round((1 - after / before) * 100)} % | ${sees(without)} | ${sees(withUs)} | ${view ? `${tokens(view)} tokens` : '-'} |`);
    if (process.env.CAVEMAN_HOSTS_SHOW) console.error(`== ${host.name}: ${task.name}\n${withUs}\n-- retrieve\n${view}`);
    isGood &&= sees(withUs) === 'yes' && after <= before;
  }
}
console.log('| Host | Task | Tokens without | with | saved | answer in sight without | with | one retrieve |');
console.log('|---|---|--:|--:|--:|---|---|--:|');
console.log(rows.join('\n'));
process.exitCode = isGood ? 0 : 1;
