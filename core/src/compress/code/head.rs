//! What a pair of brackets holds, told from the text before it.

use super::language::Family;

/// Where a bracket stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At the top, or where the source was cut and nothing is known.
    File,
    /// In a class or the like: `name() {` is a method.
    Class,
    /// In a property: `get {`, `set {`.
    Property,
    /// Among the arguments of a call.
    Args,
    /// In a literal.
    Values,
    /// Among statements.
    Body,
}

/// What a pair of braces is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Function,
    Container(Place),
    /// Statements that are no function: of a loop, of an initializer.
    Block,
    /// Members of a literal.
    Values,
    /// Part of the head of what follows: a type in braces, an initializer.
    Part,
    Other,
}

fn words(head: &str) -> impl Iterator<Item = &str> + Clone {
    head.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$')))
        .filter(|word| !word.is_empty())
}

fn has(head: &str, names: &[&str]) -> bool {
    words(head).any(|word| names.contains(&word))
}

fn first_word(head: &str) -> &str {
    words(head).next().unwrap_or_default()
}

/// The head behind its annotations and attributes: `@Name`, `@Name()`, `[]`.
fn without_annotations(head: &str) -> &str {
    let mut rest = head.trim_start();
    loop {
        let after = if let Some(name) = rest.strip_prefix('@') {
            if name.starts_with("interface") {
                return rest;
            }
            let name = name
                .trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
            name.strip_prefix("()").unwrap_or(name)
        } else if let Some(after) = rest.strip_prefix("[]").or_else(|| rest.strip_prefix("#[]")) {
            if after.trim_start().is_empty() || after.starts_with("()") {
                return rest;
            }
            after
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

/// Whether a line begins a function whose name follows `word`.
pub(super) fn names_function(line: &str, word: &str) -> bool {
    let line = line.trim_start();
    !line.starts_with(['/', '*']) && words(line).take(6).any(|w| w == word)
}

/// Whether a bracket belongs to an attribute or decorator, which stays.
pub(super) fn is_attribute(head: &str) -> bool {
    let last = head.trim_end().rsplit('\n').next().unwrap_or_default().trim_start();
    last.starts_with('@') || last.starts_with('#')
}

/// Whether a bracket that is no brace opens a list of values.
pub(super) fn begins_list(head: &str, byte: u8, place: Place) -> bool {
    let is_value = match place {
        Place::File | Place::Class | Place::Property | Place::Body => {
            has_assignment(head) || first_word(head) == "return"
        }
        Place::Args | Place::Values => true,
    };
    let end = head.trim_end();
    is_value
        && match byte {
            b'[' => true,
            _ => matches!(place, Place::File | Place::Class) || end.ends_with("array"),
        }
}

/// The last statement of a head in which line ends may end statements.
pub(super) fn last_statement(head: &str) -> &str {
    const GOES_ON: [&str; 16] = [
        ".",
        "?",
        ":",
        "->",
        "=",
        "&",
        "|",
        ")",
        ">",
        "+",
        "where ",
        "throws",
        "extends ",
        "implements ",
        "with ",
        "rethrows",
    ];
    const IS_OPEN: [&str; 17] = [
        ",",
        "=",
        "(",
        "[",
        "<",
        ":",
        "&",
        "|",
        "+",
        "-",
        "?",
        ".",
        " extends",
        " implements",
        " where",
        " with",
        "->",
    ];
    let mut start = head.len();
    let mut rest = head;
    loop {
        let line_start = rest.rfind('\n').map_or(0, |at| at + 1);
        let line = rest.get(line_start..).unwrap_or_default();
        let this = head.get(line_start..).unwrap_or_default().trim_start();
        let above = rest.get(..line_start).unwrap_or_default().trim_end();
        start = if line.trim().is_empty() { start } else { line_start };
        let goes_on = this.is_empty()
            || GOES_ON.iter().any(|sign| this.starts_with(sign))
            || IS_OPEN.iter().any(|sign| above.ends_with(sign)) && !above.ends_with("=>");
        if line_start == 0 || !goes_on {
            return head.get(start..).unwrap_or_default();
        }
        rest = rest.get(..line_start - 1).unwrap_or_default();
    }
}

/// What begins a statement, never an item with a body of its own.
const CONTROL: [&str; 24] = [
    "if",
    "else",
    "elseif",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "try",
    "catch",
    "finally",
    "with",
    "return",
    "synchronized",
    "lock",
    "using",
    "match",
    "loop",
    "foreach",
    "when",
    "guard",
    "select",
    "unless",
];

const CONTAINERS: &[&str] = &[
    "class",
    "interface",
    "enum",
    "record",
    "struct",
    "object",
    "namespace",
    "trait",
    "extension",
    "protocol",
    "actor",
    "module",
    "given",
];

/// Judges a brace by the text before it.
pub(super) fn judge(family: Family, head: &str, place: Place) -> Sort {
    let head = without_annotations(head);
    match family {
        Family::Rust => rust(head),
        Family::Go => go(head),
        Family::C => c(head, place),
        Family::Java | Family::CSharp => java(family, head, place),
        Family::Kotlin | Family::Swift | Family::Scala | Family::Php => {
            by_keyword(family, head, place)
        }
        Family::Script => script(head, place),
    }
}

/// Whether the function of this head has a name of its own.
pub(super) fn is_named(family: Family, head: &str, place: Place) -> bool {
    if family != Family::Script {
        return place != Place::Args && (family != Family::Go || place != Place::Body);
    }
    let after = |word: &str| {
        let mut words = words(head).skip_while(|w| *w != word);
        words.nth(1).is_some()
    };
    has(head, &["function"]) && after("function") && !head.contains("function()")
        || has_assignment(head) && place != Place::Args
        || !head.contains("=>") && !has(head, &["function"])
        || head.contains(':') && place == Place::Values
}

/// A statement, or values where one is assigned.
fn rest(head: &str, place: Place) -> Sort {
    if CONTROL.contains(&first_word(head)) {
        return Sort::Block;
    }
    if has_assignment(head) || matches!(place, Place::Values) {
        return Sort::Values;
    }
    if head.trim().is_empty() && matches!(place, Place::Class | Place::Body) {
        return Sort::Block;
    }
    Sort::Other
}

fn rust(head: &str) -> Sort {
    let before = head.split(['(', '{']).next().unwrap_or_default();
    if has(before, &["impl", "trait", "mod", "extern"]) && !has(before, &["fn"]) {
        return Sort::Container(Place::Class);
    }
    let is_function = has(head, &["fn"])
        && !has_assignment(head.split("fn ").next().unwrap_or_default())
        && !has(head, &["struct", "enum", "union"]);
    if is_function {
        return Sort::Function;
    }
    let end = head.trim_end();
    if first_word(head) == "macro_rules" {
        return Sort::Block;
    }
    if end.ends_with('!') && !has_assignment(head) {
        return Sort::Container(Place::Class);
    }
    if has(head, &["struct", "enum", "union", "use"]) {
        return Sort::Other;
    }
    rest(head, Place::File)
}

fn go(head: &str) -> Sort {
    let is_value_type = head.contains("]func") || head.contains("*func");
    let end = head.trim_end();
    if has(head, &["func"]) && (end.ends_with("interface") || end.ends_with("struct")) {
        return Sort::Part;
    }
    if has(head, &["func"]) && !is_value_type {
        return Sort::Function;
    }
    if matches!(first_word(head), "type" | "import") || has(head, &["struct", "interface"]) {
        return Sort::Other;
    }
    rest(head, Place::File)
}

fn c(head: &str, place: Place) -> Sort {
    let first = first_word(head);
    let is_assigned = has_assignment(head);
    let after_parens = head.rsplit_once(')').map(|(_, after)| after);
    const QUALIFIERS: [&str; 10] = [
        "const", "noexcept", "override", "final", "throw", "try", "volatile", "mutable",
        "requires", "auto",
    ];
    // `class EXPORT() Name : Base` names a type behind its parentheses; `struct a *f()` is a function.
    let names_type = !head.contains("->")
        && after_parens.is_none_or(|after| {
            first_word(after).starts_with(|c: char| c.is_alphabetic())
                && !QUALIFIERS.contains(&first_word(after))
                && !after.trim_start().starts_with(':')
        });
    if names_type && !is_assigned && has(head, &["namespace", "class", "struct", "union", "extern"])
    {
        return Sort::Container(Place::Class);
    }
    if CONTROL.contains(&first) {
        return Sort::Block;
    }
    if first == "enum" || first == "typedef" && has(head, &["enum"]) {
        return Sort::Other;
    }
    if let Some(after) = after_parens
        && !is_assigned
    {
        // `Pool() : size_{1}, name_()` goes on behind the braces.
        let is_initializer =
            after.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '>')
                && (head.contains(") :") || head.contains("):") || head.contains(")\n"))
                && head.contains(':')
                && !QUALIFIERS.contains(&words(after).last().unwrap_or_default())
                && !after.contains("->");
        return if is_initializer { Sort::Part } else { Sort::Function };
    }
    rest(head, place)
}

fn java(family: Family, head: &str, place: Place) -> Sort {
    let before = head.split('(').next().unwrap_or_default();
    let first = first_word(head);
    let is_assigned = has_assignment(head);
    if has(before, CONTAINERS) && !is_assigned {
        return Sort::Container(Place::Class);
    }
    let end = head.trim_end();
    if end.ends_with("->") || end.ends_with("=>") {
        return Sort::Function;
    }
    if has(head, &["new"]) && end.ends_with(')') && !is_list_type(head) {
        return Sort::Container(Place::Class);
    }
    if place == Place::Property
        && matches!(words(head).last(), Some("get" | "set" | "init" | "add" | "remove"))
    {
        return Sort::Function;
    }
    let is_item_level = matches!(place, Place::Class | Place::File);
    if is_item_level
        && head.contains("()")
        && !CONTROL.contains(&first)
        && !is_assigned
        && first != "new"
    {
        return Sort::Function;
    }
    if family == Family::CSharp && place == Place::Class && !is_assigned && !head.trim().is_empty()
    {
        return Sort::Container(Place::Property);
    }
    if place == Place::Class && first == "static" {
        return Sort::Block;
    }
    rest(head, place)
}

/// `new int[]`
fn is_list_type(head: &str) -> bool {
    head.trim_end().ends_with(']')
}

fn by_keyword(family: Family, head: &str, place: Place) -> Sort {
    let functions: &[&str] = match family {
        Family::Kotlin => &["fun", "init", "constructor", "get", "set"],
        Family::Swift => &[
            "func",
            "init",
            "deinit",
            "subscript",
            "get",
            "set",
            "willSet",
            "didSet",
            "_read",
            "_modify",
        ],
        Family::Scala => &["def"],
        _ => &["function", "fn"],
    };
    if CONTROL.contains(&first_word(head)) {
        return Sort::Block;
    }
    let mut names = words(head);
    let is_php = family == Family::Php;
    while let Some(word) = names.next() {
        if functions.contains(&word) {
            let is_container = word == "fun" && names.next() == Some("interface");
            return if is_container { Sort::Container(Place::Class) } else { Sort::Function };
        }
        if CONTAINERS.contains(&word)
            && !(is_php && has_assignment(head.split(word).next().unwrap_or_default()))
        {
            let next = names.clone().next();
            // `class func` of Swift.
            if word == "class"
                && next.is_some_and(|next| functions.contains(&next) || next == "var")
            {
                continue;
            }
            return Sort::Container(Place::Class);
        }
        if word == "new" && has(head, &["class"]) {
            return Sort::Container(Place::Class);
        }
        // A property that is computed.
        if family == Family::Swift && word == "var" && !has_assignment(head) && place != Place::Body
        {
            return Sort::Function;
        }
    }
    if family == Family::Scala && has(head, &["new"]) {
        return Sort::Container(Place::Class);
    }
    if family == Family::Php {
        return rest(head, place);
    }
    // A closure or an initializer.
    if matches!(place, Place::Body | Place::Args) || !head.trim().is_empty() {
        Sort::Block
    } else {
        Sort::Other
    }
}

fn script(head: &str, place: Place) -> Sort {
    let before = head.split(['(', '=']).next().unwrap_or_default();
    let first = first_word(head);
    let end = head.trim_end();
    if is_open_type(head) {
        return Sort::Part;
    }
    if has(before, &["class", "interface", "namespace"]) && !end.ends_with("=>")
        || first == "declare"
        || first == "module" && !end.ends_with('=') && !end.contains('.')
        || has(head, &["class"])
            && !has(head, &["function"])
            && !end.ends_with([')', '>', ':', '='])
    {
        return Sort::Container(Place::Class);
    }
    if matches!(first, "type" | "enum" | "import") && !head.contains("()")
        || matches!(words(head).nth(1), Some("type" | "enum")) && first == "export"
        || has(before, &["enum"])
    {
        return Sort::Other;
    }
    if end.ends_with("=>") || has(head, &["function"]) {
        return Sort::Function;
    }
    let is_method_place = matches!(place, Place::Class | Place::Values);
    if CONTROL.contains(&first) && !is_method_place && !matches!(first, "return" | "default") {
        return Sort::Block;
    }
    let is_value = end.is_empty() && matches!(place, Place::Args | Place::Values)
        || end.ends_with(['=', ':', '?', '|', '&', '['])
        || end.ends_with("return")
        || end.ends_with("default")
        || end.ends_with("...");
    if is_value {
        return Sort::Values;
    }
    if head.contains("()")
        && (is_method_place
            || place == Place::File
                && !has_assignment(head)
                && (end.ends_with(')') || head.contains("):")))
    {
        return Sort::Function;
    }
    if first == "static" || end.is_empty() && place == Place::Body {
        return Sort::Block;
    }
    Sort::Other
}

/// Whether a brace opens a type inside a head: `f(): {`, `<T extends {`.
fn is_open_type(head: &str) -> bool {
    let end = head.trim_end();
    let (mut depth, mut before) = (0_i32, ' ');
    for c in head.chars() {
        match c {
            '<' => depth += 1,
            '>' if !matches!(before, '=' | '-') => depth -= 1,
            _ => {}
        }
        before = c;
    }
    end.ends_with("):")
        || (end.contains("):") && end.ends_with(['|', '&', '<', ',']))
        || depth > 0 && end.ends_with(['<', ',', ':', '|', '&', '='])
        || depth > 0 && end.ends_with("extends")
}

/// Whether the head assigns: `=` that is no comparison, arrow or operator name.
pub(super) fn has_assignment(head: &str) -> bool {
    if head.contains("operator") {
        return false;
    }
    let bytes = head.as_bytes();
    memchr::memchr_iter(b'=', bytes).any(|at| {
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        let after = bytes.get(at + 1);
        !matches!(after, Some(b'=' | b'>')) && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
    })
}
