// What a link to this page may say. Never a payload: what was pasted stays here.

const WORDS = { sample: /^[\w.-]+$/, kind: /^[a-z0-9-]+$/, keep: /./, budget: /^[1-9]\d{0,6}$/, tab: /^(output|toon)$/, toon: /^(encode|decode)$/, theme: /^(light|dark)$/ };

/** The options in a fragment, those that are well-formed. */
export function parse(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const found = {};
  for (const [name, form] of Object.entries(WORDS)) {
    const value = given.get(name);
    if (value !== null && form.test(value)) found[name] = value;
  }
  return found;
}

/** The fragment of options; empty values are left out. */
export function format(options) {
  const given = new URLSearchParams();
  for (const name of Object.keys(WORDS)) {
    if (options[name]) given.set(name, options[name]);
  }
  const text = given.toString();
  return text === '' ? '' : `#${text}`;
}
