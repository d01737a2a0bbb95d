CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    owner text NOT NULL,
    balance bigint NOT NULL CHECK (balance >= 0),
    version integer NOT NULL DEFAULT 1
);

CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL,
    body text NOT NULL
);
