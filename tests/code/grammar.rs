//! The grammars, and which of their nodes have bodies.

use tree_sitter::{Language, Node, Parser, Tree};

/// A language's grammar, and its nodes that are functions.
pub(crate) struct Grammar {
    language: Language,
    pub(crate) functions: &'static [&'static str],
}

const SCRIPT: &[&str] = &[
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function",
    "generator_function_declaration",
];

/// The grammar of a language by the name that detection gives it; `None` when there is none here.
pub(crate) fn of(name: &str) -> Option<Grammar> {
    let (language, functions): (Language, &[&str]) = match name {
        "rust" => (tree_sitter_rust::LANGUAGE.into(), &["function_item", "closure_expression"]),
        "python" => (tree_sitter_python::LANGUAGE.into(), &["function_definition"]),
        "javascript" | "jsx" => (tree_sitter_javascript::LANGUAGE.into(), SCRIPT),
        "typescript" => (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), SCRIPT),
        "tsx" => (tree_sitter_typescript::LANGUAGE_TSX.into(), SCRIPT),
        "go" => (
            tree_sitter_go::LANGUAGE.into(),
            &["function_declaration", "method_declaration", "func_literal"],
        ),
        "java" => (
            tree_sitter_java::LANGUAGE.into(),
            &[
                "method_declaration",
                "constructor_declaration",
                "compact_constructor_declaration",
                "lambda_expression",
            ],
        ),
        "kotlin" => (
            tree_sitter_kotlin_ng::LANGUAGE.into(),
            &[
                "function_declaration",
                "secondary_constructor",
                "anonymous_initializer",
                "getter",
                "setter",
                "anonymous_function",
            ],
        ),
        "c" => (tree_sitter_c::LANGUAGE.into(), &["function_definition"]),
        "cpp" => (tree_sitter_cpp::LANGUAGE.into(), &["function_definition", "lambda_expression"]),
        "csharp" => (
            tree_sitter_c_sharp::LANGUAGE.into(),
            &[
                "method_declaration",
                "constructor_declaration",
                "destructor_declaration",
                "operator_declaration",
                "conversion_operator_declaration",
                "local_function_statement",
                "accessor_declaration",
                "lambda_expression",
                "anonymous_method_expression",
            ],
        ),
        "lua" => {
            (tree_sitter_lua::LANGUAGE.into(), &["function_declaration", "function_definition"])
        }
        "shell" => (tree_sitter_bash::LANGUAGE.into(), &["function_definition"]),
        "php" => (
            tree_sitter_php::LANGUAGE_PHP.into(),
            &["function_definition", "method_declaration", "anonymous_function"],
        ),
        "ruby" => (tree_sitter_ruby::LANGUAGE.into(), &["method", "singleton_method"]),
        "scala" => (tree_sitter_scala::LANGUAGE.into(), &["function_definition"]),
        _ => return None,
    };
    Some(Grammar { language, functions })
}

impl Grammar {
    pub(crate) fn parse(&self, text: &str) -> Tree {
        let mut parser = Parser::new();
        parser.set_language(&self.language).expect("the grammar fits the library");
        parser.parse(text, None).expect("a parser without a limit ends")
    }

    /// The bodies of all functions of a tree.
    pub(crate) fn bodies<'t>(&self, tree: &'t Tree) -> Vec<Node<'t>> {
        let mut out = Vec::new();
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            if self.functions.contains(&node.kind()) {
                out.extend(body(node));
            }
            open.extend(children(node));
        }
        out
    }
}

pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.children(&mut node.walk()).collect()
}

fn body(function: Node<'_>) -> Option<Node<'_>> {
    function.child_by_field_name("body").or_else(|| {
        let is_body = |node: &Node<'_>| matches!(node.kind(), "function_body" | "block");
        children(function).into_iter().rfind(is_body)
    })
}
