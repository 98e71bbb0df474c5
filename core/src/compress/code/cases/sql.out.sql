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
-- [caveman: lines 17-27; TODO: 25]
$$ LANGUAGE plpgsql;

INSERT INTO countries (code, name) VALUES
    ('at', 'Austria'),
    ('be', 'Belgium'),
    -- [caveman: lines 33-40]
    ('se', 'Sweden');

GRANT SELECT ON orders TO reporting;
GRANT SELECT ON lines TO reporting;
-- [caveman: lines 45-53]
GRANT SELECT ON payments TO reporting;
[caveman: 28 of 54 lines of SQL elided; caveman_retrieve("ccr_b8707dd5ec0a3413fcdd2cf130672f5c")]
