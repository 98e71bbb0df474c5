-- The shop's tables.
CREATE TABLE carts (
    id          BIGINT PRIMARY KEY,
    owner       VARCHAR(64) NOT NULL,
    created_at  TIMESTAMP DEFAULT now()
);

CREATE INDEX carts_owner ON carts (owner);

INSERT INTO carts (id, owner) VALUES
    (1, 'ada'),
    (2, 'charles');

SELECT c.owner, SUM(i.price) AS total
FROM carts c
JOIN items i ON i.cart_id = c.id
WHERE i.price > 0
GROUP BY c.owner
ORDER BY total DESC;
