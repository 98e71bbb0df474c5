//! Character references. The names are those of HTML 4, by which pages are written; other names stay as they stand.

use crate::prelude::*;

/// Appends `text` with its references decoded. A no-break space becomes a space.
pub(super) fn decode(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let (c, len) = reference(from).unwrap_or(('&', 1));
        out.push(if c == '\u{a0}' { ' ' } else { c });
        rest = from.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// What the reference at the start of `text` means, and its length.
fn reference(text: &str) -> Option<(char, usize)> {
    /// No name of the table is longer.
    const MAX_NAME: usize = 10;
    let body = text.strip_prefix('&')?;
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
    let n = body.bytes().take(MAX_NAME).take_while(|b| is_part(b)).count();
    let name = body.get(..n)?;
    let is_closed = body.as_bytes().get(n) == Some(&b';');
    (is_closed || n < MAX_NAME).then_some(())?;
    let len = 1 + n + usize::from(is_closed);
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let code = match hex {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        // NUL and what is no character: the replacement character, as in every browser.
        let c = char::from_u32(code.ok()?).filter(|c| *c != '\0').unwrap_or('\u{fffd}');
        return Some((c, len));
    }
    is_closed.then_some(())?;
    let mut pairs = NAMED.split_ascii_whitespace();
    while let (Some(found), Some(c)) = (pairs.next(), pairs.next()) {
        if found == name {
            return Some((c.chars().next()?, len));
        }
    }
    match name {
        "nbsp" | "ensp" | "emsp" | "thinsp" => Some((' ', len)),
        "shy" | "zwnj" | "zwj" | "lrm" | "rlm" => Some(('\u{200b}', len)),
        _ => None,
    }
}

const NAMED: &str = "\
lt < gt > amp & quot \" apos ' copy © reg ® trade ™ hellip … mdash — ndash – lsquo ‘ rsquo ’ ldquo “ rdquo ” bull • \
middot · laquo « raquo » larr ← rarr → uarr ↑ darr ↓ harr ↔ times × divide ÷ deg ° plusmn ± euro € pound £ yen ¥ cent ¢ \
sect § para ¶ sup1 ¹ sup2 ² sup3 ³ frac12 ½ frac14 ¼ frac34 ¾ micro µ not ¬ macr ¯ acute ´ cedil ¸ uml ¨ ordf ª ordm º \
iexcl ¡ iquest ¿ curren ¤ brvbar ¦ sbquo ‚ bdquo „ dagger † Dagger ‡ permil ‰ lsaquo ‹ rsaquo › prime ′ Prime ″ \
Agrave À Aacute Á Acirc Â Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í \
Icirc Î Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö Oslash Ø Ugrave Ù Uacute Ú Ucirc Û Uuml Ü \
Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê \
euml ë igrave ì iacute í icirc î iuml ï eth ð ntilde ñ ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø ugrave ù \
uacute ú ucirc û uuml ü yacute ý thorn þ yuml ÿ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ \
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π \
Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ \
iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω \
forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ \
and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ \
oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ lArr ⇐ rArr ⇒ \
uArr ⇑ dArr ⇓ hArr ⇔ crarr ↵ check ✓ cross ✗ star ☆ starf ★ colon : comma , period . lpar ( rpar ) lsqb [ rsqb ] \
lbrace { rbrace } lcub { rcub } vert | sol / bsol \\ num # dollar $ percnt % ast * plus + equals = excl ! quest ? commat @ \
Hat ^ lowbar _ grave `";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_and_others_stay() {
        for (text, want) in [
            ("a &amp; b &lt;c&gt; &#39;d&#x2F;e&#X2f; &eacute;", "a & b <c> 'd/e/ é"),
            ("67&nbsp;comments", "67 comments"),
            ("?a=1&copy=2&foo;&;&#;&#xZ;&", "?a=1&copy=2&foo;&;&#;&#xZ;&"),
            ("&#0;&#55296;&#99999999999;", "\u{fffd}\u{fffd}&#99999999999;"),
            ("é&é", "é&é"),
        ] {
            let mut out = String::new();
            decode(text, &mut out);
            assert_eq!(out, want, "{text}");
        }
    }
}
