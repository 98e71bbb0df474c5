//! What was measured, as a table for a terminal and as a page.

use super::Row;
use crate::cli::grouped;

/// Sums and means over all payloads.
struct Sums {
    before: u64,
    after: u64,
    saved: f64,
    mean_saved: f64,
    mean_net: f64,
    critical: (usize, usize),
    n_lost: usize,
    n_inexact: usize,
}

impl Sums {
    fn of(rows: &[Row]) -> Sums {
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let mean = |of: fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
        let (before, after) = (sum(|row| row.before), sum(|row| row.after));
        Sums {
            before,
            after,
            saved: 1.0 - after as f64 / before as f64,
            mean_saved: mean(Row::saved),
            mean_net: mean(|row| row.net),
            critical: rows
                .iter()
                .fold((0, 0), |(met, all), row| (met + row.critical.0, all + row.critical.1)),
            n_lost: rows.iter().map(|row| row.n_lost).sum(),
            n_inexact: rows.iter().filter(|row| !row.is_exact).count(),
        }
    }

    fn line(&self, rows: &[Row]) -> String {
        format!(
            "{} payloads: {} -> {} tokens, {} saved over all, {} mean saved, {} mean net; critical {}/{}; needles lost {}; inexact {}",
            rows.len(),
            self.before,
            self.after,
            percent(self.saved),
            percent(self.mean_saved),
            percent(self.mean_net),
            self.critical.0,
            self.critical.1,
            self.n_lost,
            self.n_inexact
        )
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// One line a payload, then the sums.
pub fn table(rows: &[Row]) -> String {
    let mut out = format!(
        "{:34} {:10} {:>8} {:>7} {:>6} {:>9} {:>17} {:>6} {:>5} {:>7}\n",
        "payload",
        "type",
        "before",
        "after",
        "saved",
        "critical",
        "needles v/r/lost",
        "net",
        "exact",
        "ms"
    );
    for row in rows {
        let critical = format!("{:4}/{:<4}", row.critical.0, row.critical.1);
        let needles = format!("{:7}/{}/{:<6}", row.n_visible, row.n_recovered, row.n_lost);
        let exact = if row.is_exact { "yes" } else { "NO" };
        out.push_str(&format!(
            "{:34} {:10} {:8} {:7} {:>6} {critical} {needles} {:>6} {exact:>5} {:7}\n",
            row.name,
            row.content_type,
            row.before,
            row.after,
            percent(row.saved()),
            percent(row.net),
            row.ms
        ));
    }
    out + "\n" + &Sums::of(rows).line(rows) + "\n"
}

/// So much of an output is shown on the page, in lines.
const MAX_LINES: usize = 400;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d1f23;--paper:#fff;--soft:#6b7280;--line:#e3e5e9;--before:#c3c9d4;--after:#2f7d5b;--bad:#b3261e;--mark:#fff1c2}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e7ea;--paper:#16181c;--soft:#9aa1ad;--line:#2b2f36;--before:#4a5160;--after:#57b389;--bad:#ff8a80;--mark:#4a3f16}}\
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.4rem;margin:0 0 .25rem}p{color:var(--soft);margin:.25rem 0 1.5rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;font-variant-numeric:tabular-nums}\
th{font-weight:600;color:var(--soft);font-size:.85rem}td.n{text-align:right;white-space:nowrap}\
.bar{width:16rem}.bar i{display:block;height:.55rem;border-radius:2px;margin:.18rem 0;min-width:1px}.b{background:var(--before)}.a{background:var(--after)}\
.bad{color:var(--bad);font-weight:600}.good{color:var(--after)}\
details{margin:.15rem 0}summary{cursor:pointer;color:var(--soft);font-size:.85rem}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.45 ui-monospace,monospace;border:1px solid var(--line);border-radius:4px;padding:.6rem;max-height:28rem;overflow:auto}\
mark{background:var(--mark);color:inherit}";

/// A page that needs nothing else: bars before and after, facts kept, outputs with their markers.
pub fn html(rows: &[Row]) -> String {
    let mut body = String::new();
    for row in rows {
        let (met, all) = row.critical;
        let n_needles = row.n_visible + row.n_recovered + row.n_lost;
        let class = if row.is_good() { "good" } else { "bad" };
        body.push_str(&format!(
            "<tr><td>{name}<br><small>{kind}</small>{missed}{output}</td>\
             <td class=bar><i class=b></i><i class=a style=\"width:{a}\"></i></td>\
             <td class=n>{before}</td><td class=n>{after}</td><td class=n>{saved}</td><td class=n>{net}</td>\
             <td class=\"n {class}\">{met}/{all}</td><td class=\"n {class}\">{visible} + {recovered} of {n_needles}</td><td class=n>{exact}</td></tr>\n",
            name = escaped(&row.name),
            kind = escaped(&row.content_type),
            missed = missed(row),
            output = output(row),
            a = percent(row.after as f64 / row.before as f64),
            before = grouped(row.before),
            after = grouped(row.after),
            saved = percent(row.saved()),
            net = percent(row.net),
            visible = row.n_visible,
            recovered = row.n_recovered,
            exact = if row.is_exact { "yes" } else { "<span class=bad>no</span>" },
        ));
    }
    format!(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>caveman-mcp eval</title><style>{STYLE}</style>\n<h1>caveman-mcp eval</h1>\n<p>{}. Figures are inferred from o200k_base counts.</p>\n\
         <table><thead><tr><th>payload<th>tokens before and after<th>before<th>after<th>saved<th>net<th>critical<th>needles: shown + retrieved<th>exact</tr></thead>\n\
         <tbody>\n{body}</tbody></table></html>\n",
        escaped(&Sums::of(rows).line(rows))
    )
}

fn missed(row: &Row) -> String {
    row.missed
        .iter()
        .map(|text| format!("<br><small class=bad>{}</small>", escaped(text)))
        .collect()
}

/// The output, its markers marked.
fn output(row: &Row) -> String {
    let lines = row.output.lines().take(MAX_LINES).map(|line| {
        let text = escaped(line);
        if line.contains(caveman_core::elide::MARKER_OPEN) {
            format!("<mark>{text}</mark>\n")
        } else {
            text + "\n"
        }
    });
    let shown: String = lines.collect();
    let n_markers = row.output.matches(caveman_core::elide::MARKER_OPEN).count();
    let n_more = row.output.lines().count().saturating_sub(MAX_LINES);
    let more = if n_more > 0 { format!("… {n_more} more lines") } else { String::new() };
    format!(
        "<details><summary>output, {n_markers} markers</summary><pre>{shown}{more}</pre></details>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Facts, Needle, measure};
    use crate::host::SystemHost;

    fn rows() -> Vec<Row> {
        let log: String = (0..300)
            .map(|n| format!("2026-03-01T10:00:{:02}Z INFO <job> {n} finished in 5 ms\n", n % 60))
            .collect();
        let texts =
            |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let facts = Facts {
            critical: vec![texts(&["INFO", "job"]), texts(&["not there"])],
            needles: vec![
                Needle { query: "job 150".to_owned(), all: texts(&["150 finished", "INFO"]) },
                Needle { query: "job 9000".to_owned(), all: texts(&["9000"]) },
            ],
        };
        vec![measure("app<1>.log", &log, &facts, &SystemHost)]
    }

    #[test]
    fn facts_are_counted_and_named() {
        let rows = rows();
        let row = &rows[0];
        assert_eq!((row.critical, row.n_visible, row.n_recovered, row.n_lost), ((1, 2), 0, 1, 1));
        assert!(row.is_exact && !row.is_good() && row.saved() > 0.8);
        assert!(row.net < row.saved());
        assert_eq!(row.missed.len(), 2, "{:?}", row.missed);
        let table = table(&rows);
        assert!(table.contains("critical 1/2; needles lost 1; inexact 0"), "{table}");
    }

    #[test]
    fn the_page_needs_nothing_else_and_escapes() {
        let page = html(&rows());
        assert!(page.contains("app&lt;1&gt;.log") && page.contains("<mark>[caveman: "), "{page}");
        assert!(!page.contains("<job>"), "{page}");
        for outside in ["http", "src=", "@import", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
