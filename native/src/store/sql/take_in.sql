DELETE FROM caveman_uses WHERE handle NOT IN
    (SELECT handle FROM recoveries WHERE handle IS NOT NULL);
INSERT INTO caveman_uses (handle, n_bytes, used)
    SELECT
        handle,
        CASE typeof(original) WHEN 'blob' THEN length(original) ELSE length(CAST(original AS BLOB)) END,
        coalesce(CAST(strftime('%s', created_at) AS INTEGER), CAST(strftime('%s', 'now') AS INTEGER))
    FROM recoveries
    WHERE handle IS NOT NULL AND handle NOT IN (SELECT handle FROM caveman_uses);
INSERT OR IGNORE INTO caveman_totals (id, n_entries, n_bytes, tokens_before, tokens_after)
    SELECT 1, 0, 0, coalesce(sum(tokens_before), 0), coalesce(sum(tokens_after), 0) FROM recoveries;
UPDATE caveman_totals SET
    n_entries = (SELECT count(*) FROM caveman_uses),
    n_bytes = (SELECT coalesce(sum(n_bytes), 0) FROM caveman_uses);
