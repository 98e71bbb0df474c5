//! Items of languages with brackets: which brackets hold functions, types, values, and what of them may go.

use super::comments::{self, Remark, Style};
use super::cut::{BLOCK, LONG, MAX_DEPTH, MEMBERS, NESTED, Source, VALUES, What};
use super::head::{self, Place, Sort};
use super::language::Family;
use super::lex::{self, LOOSE, Lexed};
use super::runs;
use crate::order;
use crate::prelude::*;
use core::ops::Range;

/// Notes what may go of a source with brackets.
pub(super) fn read(source: &mut Source<'_>, lexed: &Lexed, family: Family) {
    let mut reader = Reader { source, lexed, family };
    let items = reader.items();
    reader.plan(&items);
    reader.expressions();
    reader.texts();
    let remarks = reader.remarks();
    comments::cut(source, &remarks);
    runs::cut(source, |source, lines| is_whole(source, lexed, lines));
}

struct Reader<'s, 't> {
    source: &'s mut Source<'t>,
    lexed: &'s Lexed,
    family: Family,
}

/// A pair of brackets that matters.
#[derive(Clone, Debug)]
struct Item {
    /// Indices of the two marks.
    marks: Range<usize>,
    sort: Sort,
    is_named: bool,
    /// The line on which its head begins.
    head: usize,
    /// The whole lines between the brackets.
    lines: Range<usize>,
}

/// Marks that are to be read.
struct Level {
    marks: Range<usize>,
    place: Place,
    start: usize,
    depth: usize,
    /// Whether a function here is named by the call that it is given to.
    is_named: bool,
}

impl Reader<'_, '_> {
    /// The items in source order.
    fn items(&self) -> Vec<Item> {
        let mut out = Vec::new();
        let mut levels = vec![Level {
            marks: 0..self.lexed.marks.len(),
            place: Place::File,
            start: 0,
            depth: 0,
            is_named: false,
        }];
        while let Some(level) = levels.pop() {
            self.level(level, &mut levels, &mut out);
        }
        order::sort_by_key(&mut out, |item| item.marks.start);
        out
    }

    fn level(&self, level: Level, levels: &mut Vec<Level>, out: &mut Vec<Item>) {
        let Level { marks, mut place, mut start, depth, is_named } = level;
        let mut i = marks.start;
        while i < marks.end {
            let Some(mark) = self.lexed.marks.get(i).copied() else { break };
            let pair = self.lexed.marks.get(mark.pair).copied();
            let is_open = matches!(mark.byte, b'{' | b'(' | b'[');
            if mark.byte == b'#' || is_open && mark.pair == i {
                i += 1;
                continue;
            }
            let Some(pair) = pair.filter(|_| is_open) else {
                if mark.byte == b'{' {
                    // Its end lies behind the end of the source.
                    let head = self.head(start, mark.at, place);
                    place = match head::judge(self.family, &head, place) {
                        Sort::Container(inside) => inside,
                        _ => Place::Body,
                    };
                } else if is_open {
                    place = Place::Args;
                } else if mark.byte == b'}' && mark.pair == LOOSE {
                    place = Place::File;
                }
                start = mark.at + 1;
                i += 1;
                continue;
            };
            let lines = self.source.line_of(mark.at) + 1..self.source.line_of(pair.at);
            let is_deep = depth >= MAX_DEPTH;
            let mut below = |place: Place, is_named: bool| {
                if !is_deep {
                    levels.push(Level {
                        marks: i + 1..mark.pair,
                        place,
                        start: mark.at + 1,
                        depth: depth + 1,
                        is_named,
                    });
                }
            };
            let item = |sort: Sort, is_named: bool, head: &str| Item {
                marks: i..mark.pair,
                sort,
                is_named,
                head: self.source.line_of(mark.at).saturating_sub(head.matches('\n').count()),
                lines: lines.clone(),
            };
            if mark.byte == b'{' {
                let head = self.head(start, mark.at, place);
                let sort = head::judge(self.family, &head, place);
                let trimmed = head.trim_start();
                match sort {
                    Sort::Function => {
                        let has_name = head::is_named(self.family, &head, place) || is_named;
                        out.push(item(sort, has_name, trimmed));
                        if lines.len() >= LONG {
                            below(Place::Body, false);
                        }
                    }
                    Sort::Container(inside) => {
                        out.push(item(sort, true, trimmed));
                        below(inside, false);
                    }
                    Sort::Block if lines.len() >= BLOCK => {
                        out.push(item(sort, false, trimmed));
                        below(Place::Body, false);
                    }
                    Sort::Values if lines.len() >= VALUES => {
                        out.push(item(sort, false, trimmed));
                        below(Place::Values, false);
                    }
                    _ => {}
                }
                if sort != Sort::Part {
                    start = pair.at + 1;
                }
            } else if lines.len() >= VALUES && !self.is_parameters(pair.at) {
                let head = self.head(start, mark.at, place);
                if head.trim_end().ends_with("=>") {
                    let is_named = is_named || head::has_assignment(&head);
                    out.push(item(Sort::Function, is_named, head.trim_start()));
                } else if !head::is_attribute(&head) {
                    if head::begins_list(&head, mark.byte, place) {
                        out.push(item(Sort::Values, false, head.trim_start()));
                        below(Place::Values, false);
                    } else {
                        below(Place::Args, self.has_title(mark.at, &head));
                    }
                }
            }
            i = mark.pair + 1;
        }
    }

    fn head(&self, start: usize, end: usize, place: Place) -> String {
        let head = head_of(self.source.text, self.lexed, start, end);
        let tail = match place {
            Place::Args | Place::Values => head.rsplit(',').next().unwrap_or_default(),
            _ if self.family.ends_at_lines() => head::last_statement(&head),
            _ => &head,
        };
        if tail.len() == head.len() { head } else { tail.to_owned() }
    }

    /// Whether the bracket that closes at `end` holds the parameters of what follows.
    fn is_parameters(&self, end: usize) -> bool {
        let next = self.source.text.get(end + 1..).unwrap_or_default().trim_start();
        ["{", "=>", "->", ":"].iter().any(|sign| next.starts_with(sign))
    }

    /// Whether a call gives a title to what it is given: `it("adds", () => {`.
    fn has_title(&self, at: usize, head: &str) -> bool {
        let next = self.source.text.get(at + 1..).unwrap_or_default().trim_start();
        self.family == Family::Script
            && next.starts_with(['"', '\'', '`'])
            && !head.contains('=')
            && head.trim_end().ends_with(|c: char| c.is_alphanumeric())
    }

    /// Decides over items that stand side by side, and over those in them.
    fn plan(&mut self, items: &[Item]) {
        let mut i = 0;
        while let Some(item) = items.get(i) {
            let n_inside = items
                .iter()
                .skip(i + 1)
                .take_while(|other| other.marks.start < item.marks.end)
                .count();
            let inside = items.get(i + 1..i + 1 + n_inside).unwrap_or_default();
            let has_items = || inside.iter().any(|item| item.sort == Sort::Function);
            match item.sort {
                Sort::Function => self.function(item, inside),
                Sort::Container(_) => self.plan(inside),
                Sort::Block if has_items() => self.plan(inside),
                Sort::Block => self.body(item.lines.clone()),
                Sort::Values if has_items() => self.plan(inside),
                Sort::Values => self.values(item.marks.clone()),
                Sort::Part | Sort::Other => {}
            }
            i += 1 + n_inside;
        }
    }

    fn body(&mut self, lines: Range<usize>) {
        if self.is_whole(&lines) {
            self.source.cut(lines, What::Body);
        }
    }

    /// A function goes whole; a long one keeps the heads of the items in it; one that is mostly items is read as a file.
    fn function(&mut self, item: &Item, inside: &[Item]) {
        let lines = item.lines.clone();
        let mut nested = Vec::new();
        let mut end = 0;
        let mut n_nested = 0;
        for (at, inner) in inside.iter().enumerate() {
            let is_item =
                matches!(inner.sort, Sort::Function | Sort::Container(_)) && inner.is_named;
            if inner.marks.start >= end && is_item {
                end = inner.marks.end;
                n_nested += inner.lines.len() + 2;
                nested.push(at);
            }
        }
        if lines.len() >= LONG && nested.len() > 1 && n_nested * 2 >= lines.len() {
            self.plan(inside);
            return;
        }
        let mut at = lines.start;
        let mut gaps = Vec::new();
        let mut kept = Vec::new();
        for index in nested {
            let Some(inner) = inside.get(index).filter(|inner| inner.lines.len() >= NESTED) else {
                continue;
            };
            if inner.head < at {
                continue;
            }
            let gap = at..self.statement_start(inner.head, at);
            if self.is_whole(&gap) {
                gaps.push(gap);
                kept.push(index);
                at = inner.lines.end + 1;
            }
        }
        let last = at..lines.end;
        if kept.is_empty() || at > lines.end || !self.is_whole(&last) {
            self.body(lines);
            return;
        }
        gaps.push(last);
        for gap in gaps {
            self.source.cut(gap, What::Body);
        }
        for index in kept {
            let Some(inner) = inside.get(index) else { continue };
            let n_below = inside
                .iter()
                .skip(index + 1)
                .take_while(|other| other.marks.start < inner.marks.end)
                .count();
            self.plan(inside.get(index..index + 1 + n_below).unwrap_or_default());
        }
    }

    /// Where the statement begins that goes on at line `at`: above its attributes and the lines that it continues.
    fn statement_start(&self, mut at: usize, limit: usize) -> usize {
        while at > limit {
            let above = self.source.line(at - 1).trim();
            let goes_on = above.starts_with(['@', '#'])
                || above.ends_with(['=', '(', '[', ',', '&', '|', '?', ':', '.', '+'])
                || above.ends_with("return")
                || self.source.line(at).trim_start().starts_with('.');
            if above.is_empty() || !goes_on {
                break;
            }
            at -= 1;
        }
        at
    }

    /// A long literal keeps its first and last members; one of few members is looked into.
    fn values(&mut self, marks: Range<usize>) {
        let mut work = vec![(marks, 0)];
        while let Some((marks, depth)) = work.pop() {
            let Some((open, close)) = self.ends(&marks) else { continue };
            let lines = self.source.line_of(open.at) + 1..self.source.line_of(close.at);
            if lines.len() < VALUES {
                continue;
            }
            let mut inner = Vec::new();
            let mut i = marks.start + 1;
            let mut covered = Vec::new();
            while i < marks.end {
                let Some(mark) = self.lexed.marks.get(i).copied() else { break };
                if let Some(pair) = self.lexed.marks.get(mark.pair)
                    && mark.pair > i
                {
                    covered
                        .push(self.source.line_of(mark.at) + 1..self.source.line_of(pair.at) + 1);
                    inner.push(i..mark.pair);
                    i = mark.pair;
                }
                i += 1;
            }
            let mut covered = covered.into_iter().filter(|lines| !lines.is_empty()).peekable();
            let mut members = Vec::new();
            for line in lines.clone() {
                while covered.next_if(|lines| lines.end <= line).is_some() {}
                let is_covered = covered.peek().is_some_and(|lines| lines.contains(&line));
                let is_start = !is_covered && !self.crosses(line) && !self.source.is_blank(line);
                if is_start && self.follows_comma(line, lines.start) {
                    members.push(line);
                }
            }
            let is_keyed = open.byte == b'{'
                && members.first().is_some_and(|at| self.source.line(*at).contains([':', '=']));
            let most = if is_keyed { MEMBERS } else { MEMBERS / 2 };
            let (from, to) = (members.get(2), members.last());
            if let (Some(from), Some(to)) = (from, to)
                && members.len() > most
                && self.is_whole(&(*from..*to))
            {
                self.source.cut(*from..*to, What::Data);
                let (from, to) = (self.source.start_of(*from), self.source.start_of(*to));
                inner.retain(|marks| {
                    self.lexed.marks.get(marks.start).is_some_and(|m| m.at < from || m.at >= to)
                });
            }
            if depth < MAX_DEPTH {
                work.extend(inner.into_iter().map(|marks| (marks, depth + 1)));
            }
        }
    }

    /// Whether a member may begin at `line`: the code above it ends with a comma, or there is none since line `first`.
    fn follows_comma(&self, line: usize, first: usize) -> bool {
        for at in (first..line).rev().take(64) {
            let start = self.source.start_of(at);
            let code = self.source.line(at);
            let from = self.lexed.opaque.partition_point(|opaque| opaque.end <= start);
            let comment = self
                .lexed
                .opaque
                .iter()
                .skip(from)
                .take_while(|opaque| opaque.start < start + code.len())
                .find(|opaque| opaque.what != lex::What::Text);
            let len = comment.map_or(code.len(), |opaque| opaque.start.saturating_sub(start));
            let code = code.get(..len).unwrap_or_default().trim_end();
            if !code.is_empty() {
                return code.ends_with([',', ';']);
            }
        }
        true
    }

    fn ends(&self, marks: &Range<usize>) -> Option<(lex::Mark, lex::Mark)> {
        Some((*self.lexed.marks.get(marks.start)?, *self.lexed.marks.get(marks.end)?))
    }

    fn is_whole(&self, lines: &Range<usize>) -> bool {
        is_whole(self.source, self.lexed, lines)
    }

    fn crosses(&self, line: usize) -> bool {
        crosses(self.source, self.lexed, line)
    }

    /// Functions, and values of many lines, that are an expression on lines of their own: `def total: Int =`.
    fn expressions(&mut self) {
        let word = match self.family {
            Family::Scala => "def",
            Family::Kotlin => "fun",
            _ => return,
        };
        let is_value = |line: &str| {
            !line.ends_with('{') && ["val", "var"].iter().any(|w| head::names_function(line, w))
        };
        let mut at = 0;
        while at < self.source.lines.len() {
            let line = self.source.line(at).trim_end();
            at += 1;
            let value = line.split_once(" = ").map_or("", |(_, value)| value);
            let is_open = line.ends_with('=')
                || line.ends_with('(') && !value.is_empty()
                || line.ends_with('{') && value.contains('(');
            if !is_open || self.crosses(at) {
                continue;
            }
            let (head, least) = match self.head_line(at - 1, word) {
                Some(head) => (head, 0),
                None if is_value(line) => (at - 1, VALUES),
                None => continue,
            };
            let indent = self.source.indent_of(head);
            let is_deeper =
                |at: usize| self.source.is_blank(at) || self.source.indent_of(at) > indent;
            let n = (at..self.source.lines.len()).take_while(|at| is_deeper(*at)).count();
            if n < least {
                continue;
            }
            self.body(at..at + n);
            at += n;
        }
    }

    /// The line that names the function whose head ends on line `at`: parameters may stand on lines of their own.
    fn head_line(&self, at: usize, word: &str) -> Option<usize> {
        /// No head has more lines. Our choice: it bounds what is read in vain.
        const MAX_LINES: usize = 12;
        let first = at.saturating_sub(MAX_LINES);
        let head =
            (first..=at).rev().find(|at| head::names_function(self.source.line(*at), word))?;
        let is_inside = |line: usize| {
            let text = self.source.line(line).trim_start();
            self.source.indent_of(line) > self.source.indent_of(head) || text.starts_with(')')
        };
        let is_open = (head..at).all(|at| {
            let line = self.source.line(at).trim_end();
            !line.is_empty() && !line.ends_with(['=', '{', '}'])
        });
        (is_open && (head + 1..=at).all(is_inside)).then_some(head)
    }

    /// Long texts between quotes keep their first and last lines.
    fn texts(&mut self) {
        for opaque in &self.lexed.opaque {
            if opaque.what != lex::What::Text || opaque.end - opaque.start < 200 {
                continue;
            }
            let lines = self.source.line_of(opaque.start)..self.source.line_of(opaque.end - 1);
            if lines.len() > BLOCK {
                self.source.cut(lines.start + 3..lines.end - 1, What::Text);
            }
        }
    }

    /// The comments that have their lines for themselves.
    fn remarks(&self) -> Vec<Remark> {
        let mut out: Vec<Remark> = Vec::new();
        let text = self.source.text;
        for opaque in self.lexed.opaque.iter().filter(|o| o.what == lex::What::Comment) {
            let first = self.source.line_of(opaque.start);
            let before = text.get(self.source.start_of(first)..opaque.start).unwrap_or_default();
            let is_open = opaque.start == 0 && !text.starts_with(['/', '#']);
            if !before.trim().is_empty() || is_open {
                continue;
            }
            let comment = text.get(opaque.start..opaque.end).unwrap_or_default();
            let after = text.get(opaque.end..).unwrap_or_default();
            let rest = after.split('\n').next().unwrap_or_default();
            if comment.starts_with("/*") {
                let last = self.source.line_of(opaque.end.saturating_sub(1));
                if last > first && rest.trim().is_empty() {
                    out.push(Remark { lines: first..last + 1, style: Style::Block });
                }
                continue;
            }
            let sign = |line: usize| {
                let line = self.source.line(line).trim_start();
                line.len() - line.trim_start_matches(['/', '!', '#']).len()
            };
            match out.last_mut() {
                Some(last)
                    if last.style == Style::Lines
                        && last.lines.end == first
                        && sign(last.lines.start) == sign(first)
                        && self.source.indent_of(last.lines.start)
                            == self.source.indent_of(first) =>
                {
                    last.lines.end = first + 1;
                }
                _ => out.push(Remark { lines: first..first + 1, style: Style::Lines }),
            }
        }
        out
    }
}

/// Whether the brackets of these lines pair among themselves, and no string or comment reaches over their edge.
fn is_whole(source: &Source<'_>, lexed: &Lexed, lines: &Range<usize>) -> bool {
    if lines.start > lines.end {
        return false;
    }
    let (start, end) = (source.start_of(lines.start), source.start_of(lines.end));
    let from = lexed.marks.partition_point(|mark| mark.at < start);
    let to = lexed.marks.partition_point(|mark| mark.at < end);
    let marks = lexed.marks.get(from..to).unwrap_or_default();
    marks.iter().all(|mark| (from..to).contains(&mark.pair))
        && !crosses(source, lexed, lines.start)
        && !crosses(source, lexed, lines.end)
}

/// Whether a string or comment reaches over the start of a line.
fn crosses(source: &Source<'_>, lexed: &Lexed, line: usize) -> bool {
    let edge = source.start_of(line);
    let at = lexed.opaque.partition_point(|opaque| opaque.end <= edge);
    lexed.opaque.get(at).is_some_and(|opaque| opaque.start < edge)
}

/// The text before a bracket without comments, strings and what stands in brackets (`()`, `[]`, `{}` remain).
fn head_of(text: &str, lexed: &Lexed, start: usize, end: usize) -> String {
    let mut out = String::new();
    let first = lexed.opaque.partition_point(|opaque| opaque.end <= start);
    let mut opaque = lexed.opaque.iter().skip(first).peekable();
    let mark = lexed.marks.partition_point(|mark| mark.at < start);
    let mut marks = lexed.marks.iter().skip(mark).take_while(|m| m.at < end).peekable();
    let mut at = start;
    while at < end {
        if let Some(skipped) = opaque.next_if(|opaque| opaque.start <= at) {
            out.push_str(if skipped.what == lex::What::Text { "\"\"" } else { " " });
            at = at.max(skipped.end);
            continue;
        }
        while marks.next_if(|m| m.at < at).is_some() {}
        if let Some(m) = marks.next_if(|m| m.at == at)
            && matches!(m.byte, b'(' | b'[' | b'{')
            && let Some(pair) = lexed.marks.get(m.pair).filter(|pair| pair.at > at)
        {
            out.push(char::from(m.byte));
            out.push(char::from(pair.byte));
            at = pair.at + 1;
            while opaque.next_if(|opaque| opaque.start < at).is_some() {}
            continue;
        }
        let next = opaque
            .peek()
            .map_or(end, |opaque| opaque.start)
            .min(marks.peek().map_or(end, |m| m.at.max(at + 1)))
            .min(end);
        let next = if next <= at { at + 1 } else { next };
        out.push_str(text.get(at..next).unwrap_or_default());
        at = next;
    }
    out
}
