-- Tables and routines of the shop.
-- The first release kept carts in a document store; what
-- follows moved them here, one table after another, and
-- the triggers keep both in step until the old one goes.
-- See the migration guide for the order of the steps.

CREATE TABLE orders (
    id bigint PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers (id),
    total numeric(12, 2) NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX orders_by_customer ON orders (customer_id);

CREATE FUNCTION close_order(order_id bigint) RETURNS void AS $$
DECLARE
    remaining integer;
BEGIN
    SELECT count(*) INTO remaining FROM lines WHERE lines.order_id = close_order.order_id AND NOT shipped;
    IF remaining > 0 THEN
        RAISE EXCEPTION 'order % has % lines to ship', order_id, remaining;
    END IF;
    UPDATE orders SET closed_at = now() WHERE id = order_id;
    -- TODO: tell the warehouse
    INSERT INTO events (kind, subject) VALUES ('closed', order_id);
END;
$$ LANGUAGE plpgsql;

INSERT INTO countries (code, name) VALUES
    ('at', 'Austria'),
    ('be', 'Belgium'),
    ('ch', 'Switzerland'),
    ('de', 'Germany'),
    ('dk', 'Denmark'),
    ('es', 'Spain'),
    ('fi', 'Finland'),
    ('fr', 'France'),
    ('it', 'Italy'),
    ('nl', 'Netherlands'),
    ('se', 'Sweden');

GRANT SELECT ON orders TO reporting;
GRANT SELECT ON lines TO reporting;
GRANT SELECT ON customers TO reporting;
GRANT SELECT ON countries TO reporting;
GRANT SELECT ON events TO reporting;
GRANT SELECT ON carts TO reporting;
GRANT SELECT ON prices TO reporting;
GRANT SELECT ON stock TO reporting;
GRANT SELECT ON returns TO reporting;
GRANT SELECT ON refunds TO reporting;
GRANT SELECT ON invoices TO reporting;
GRANT SELECT ON payments TO reporting;
