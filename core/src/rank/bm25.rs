//! BM25 with the idf of Lucene: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
//!
//! Floats go through `libm` alone: the standard ones differ between platforms in the last bits.

/// Saturation of the term frequency.
pub const K1: f64 = 1.2;
/// How much a document's length counts.
pub const B: f64 = 0.75;

/// What the scores need to know of all documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corpus {
    /// How many documents there are.
    pub n_docs: u64,
    /// How many terms they have together, repeats included.
    pub n_terms: u64,
}

impl Corpus {
    /// Takes one document of `n_terms` terms in.
    pub fn add(&mut self, n_terms: u32) {
        self.n_docs += 1;
        self.n_terms += u64::from(n_terms);
    }

    /// `ln(1 + (N - df + 0.5) / (df + 0.5))` of a term that `df` documents hold. Never negative; a `df` above N counts as N.
    pub fn idf(&self, df: u64) -> f64 {
        let df = df.min(self.n_docs);
        libm::log(1.0 + ((self.n_docs - df) as f64 + 0.5) / (df as f64 + 0.5))
    }

    /// What one term of a document adds to its score: idf times the saturated term frequency.
    pub fn score(&self, idf: f64, tf: u32, n_terms: u32) -> f64 {
        let mean = self.n_terms as f64 / (self.n_docs.max(1)) as f64;
        let length = if mean > 0.0 { f64::from(n_terms) / mean } else { 1.0 };
        let tf = f64::from(tf);
        idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length))
    }
}

/// The share of the query that a document holds: idf of the terms it holds over idf of all; 0 for a query without weight.
///
/// `idf_and_tf`: for each term of the query, its idf and how often the document holds it.
pub fn coverage(idf_and_tf: impl IntoIterator<Item = (f64, u32)>) -> f64 {
    let (mut held, mut all) = (0.0, 0.0);
    for (idf, tf) in idf_and_tf {
        all += idf;
        if tf > 0 {
            held += idf;
        }
    }
    if all > 0.0 { held / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_formula() {
        let corpus = Corpus { n_docs: 10, n_terms: 100 };
        assert!((corpus.idf(1) - 1.992_430_164_690_206).abs() < 1e-12);
        assert!((corpus.idf(10) - 0.046_520_015_634_892_8).abs() < 1e-12);
        assert_eq!(corpus.idf(11).to_bits(), corpus.idf(10).to_bits());
        // A document of mean length that holds the term once scores exactly its idf.
        assert!((corpus.score(2.0, 1, 10) - 2.0).abs() < 1e-12);
        assert!(corpus.score(2.0, 1, 20) < 2.0 && corpus.score(2.0, 2, 10) > 2.0);
        assert!(corpus.score(2.0, 1_000_000, 10) < 2.0 * (K1 + 1.0));
    }

    #[test]
    fn nothing_is_not_a_number() {
        let none = Corpus::default();
        assert!(none.idf(0).is_finite() && none.score(1.0, 0, 0).is_finite());
        assert_eq!(coverage([]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(coverage([(1.0, 3), (3.0, 0)]).to_bits(), 0.25_f64.to_bits());
    }
}
