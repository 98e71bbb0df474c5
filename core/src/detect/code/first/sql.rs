//! SQL, in capitals or not; small letters only where the words that follow leave no doubt.

use super::super::super::shape::{holds, word};
use super::super::language::Language::Sql;
use super::Say;

pub(super) fn vote(first: &str, rest: &str, body: &str) -> Say {
    const STARTS: &[&str] = &[
        "SELECT",
        "INSERT",
        "CREATE",
        "ALTER",
        "DROP",
        "UPDATE",
        "DELETE",
        "WITH",
        "FROM",
        "WHERE",
        "JOIN",
        "LEFT",
        "INNER",
        "GROUP",
        "ORDER",
        "HAVING",
        "VALUES",
        "BEGIN",
        "COMMIT",
        "UNION",
        "LIMIT",
        "GRANT",
        "REVOKE",
        "PRIMARY",
        "FOREIGN",
        "CONSTRAINT",
        "RETURNING",
        "DECLARE",
        "MERGE",
        "TRUNCATE",
        "REFERENCES",
        "COMMENT",
        "EXPLAIN",
        "AND",
        "ON",
        "SET",
    ];
    if first.len() > 10 || !STARTS.iter().any(|s| s.eq_ignore_ascii_case(first)) {
        return &[];
    }
    let is_upper = first.bytes().all(|b| b.is_ascii_uppercase());
    let (second, _) = word(rest.trim_start());
    let is = |a: &str, list: &[&str]| list.iter().any(|s| s.eq_ignore_ascii_case(a));
    let is_pair = is(first, &["CREATE", "ALTER", "DROP"])
        && is(
            second,
            &[
                "TABLE",
                "INDEX",
                "VIEW",
                "UNIQUE",
                "OR",
                "FUNCTION",
                "TYPE",
                "DATABASE",
                "SCHEMA",
                "TRIGGER",
                "PROCEDURE",
                "SEQUENCE",
                "EXTENSION",
                "USER",
                "ROLE",
                "TEMPORARY",
                "MATERIALIZED",
                "POLICY",
            ],
        )
        || is(first, &["INSERT"]) && is(second, &["INTO", "OR"])
        || is(first, &["DELETE"]) && is(second, &["FROM"])
        || is(first, &["GROUP", "ORDER"]) && is(second, &["BY"])
        || is(first, &["LEFT", "INNER"]) && is(second, &["JOIN", "OUTER"])
        || is(first, &["PRIMARY", "FOREIGN"]) && is(second, &["KEY"])
        || is(first, &["UPDATE"]) && (holds(body, " SET ") || holds(body, " set "))
        || is(first, &["SELECT"])
            && (holds(body, " FROM ") || holds(body, " from ") && body.ends_with(';'));
    if is_pair {
        &[(Sql, 8)]
    } else if is_upper && (rest.is_empty() || rest.starts_with([' ', ';', '('])) {
        &[(Sql, 3)]
    } else {
        &[]
    }
}
