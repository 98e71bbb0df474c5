DROP TRIGGER IF EXISTS caveman_inserted;
DROP TRIGGER IF EXISTS caveman_deleted;
DROP TRIGGER IF EXISTS caveman_updated;
CREATE TRIGGER caveman_inserted AFTER INSERT ON recoveries WHEN NEW.handle IS NOT NULL BEGIN
    UPDATE caveman_totals SET
        n_entries = n_entries + 1
            - (SELECT count(*) FROM caveman_uses WHERE handle = NEW.handle),
        n_bytes = n_bytes + length(CAST(NEW.original AS BLOB))
            - coalesce((SELECT n_bytes FROM caveman_uses WHERE handle = NEW.handle), 0),
        tokens_before = tokens_before + CASE
            WHEN EXISTS (SELECT 1 FROM caveman_uses WHERE handle = NEW.handle) THEN 0
            ELSE coalesce(NEW.tokens_before, 0) END,
        tokens_after = tokens_after + CASE
            WHEN EXISTS (SELECT 1 FROM caveman_uses WHERE handle = NEW.handle) THEN 0
            ELSE coalesce(NEW.tokens_after, 0) END;
    DELETE FROM caveman_uses WHERE handle = NEW.handle;
    INSERT INTO caveman_uses (handle, n_bytes, used) VALUES (
        NEW.handle,
        length(CAST(NEW.original AS BLOB)),
        coalesce(CAST(strftime('%s', NEW.created_at) AS INTEGER), CAST(strftime('%s', 'now') AS INTEGER))
    );
    DELETE FROM caveman_tombstones WHERE handle = NEW.handle;
END;
CREATE TRIGGER caveman_deleted AFTER DELETE ON recoveries WHEN OLD.handle IS NOT NULL BEGIN
    UPDATE caveman_totals SET
        n_entries = n_entries - (SELECT count(*) FROM caveman_uses WHERE handle = OLD.handle),
        n_bytes = n_bytes
            - coalesce((SELECT n_bytes FROM caveman_uses WHERE handle = OLD.handle), 0);
    DELETE FROM caveman_uses WHERE handle = OLD.handle;
END;
CREATE TRIGGER caveman_updated AFTER UPDATE OF handle, original ON recoveries
WHEN OLD.handle IS NOT NULL AND NEW.handle IS NOT NULL BEGIN
    UPDATE caveman_totals SET
        n_bytes = n_bytes + length(CAST(NEW.original AS BLOB))
            - coalesce((SELECT n_bytes FROM caveman_uses WHERE handle = OLD.handle), 0);
    DELETE FROM caveman_uses WHERE handle = OLD.handle;
    INSERT INTO caveman_uses (handle, n_bytes, used) VALUES (
        NEW.handle, length(CAST(NEW.original AS BLOB)), CAST(strftime('%s', 'now') AS INTEGER)
    );
END;
