-- Failures by script: the n-th statement of a kind fails as its row in `faults` says. Sequences count the
-- statements, because a rollback does not take back what a sequence has given.
CREATE TABLE faults (operation text, nth bigint, fault text, PRIMARY KEY (operation, nth));

CREATE SEQUENCE select_calls;
CREATE SEQUENCE insert_calls;
CREATE SEQUENCE update_calls;
CREATE SEQUENCE delete_calls;
CREATE SEQUENCE commit_calls;

CREATE FUNCTION gate(operation text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    this bigint := nextval(operation || '_calls');
    planned text := (SELECT fault FROM faults WHERE faults.operation = gate.operation AND nth = this);
BEGIN
    IF planned = 'nothing' THEN
        RETURN false;
    ELSIF planned = 'killed' THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
    ELSIF planned IS NOT NULL THEN
        RAISE EXCEPTION 'scripted' USING ERRCODE = planned;
    END IF;
    RETURN true;
END $$;

CREATE FUNCTION gate_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM gate(TG_ARGV[0]);
    RETURN NULL;
END $$;

-- Whoever reads passes the gate once, however many rows there are. Writes through the view read as well,
-- and find no row where the gate says "nothing".
ALTER TABLE accounts RENAME TO account_rows;
CREATE VIEW accounts AS SELECT * FROM account_rows WHERE (SELECT gate('select'));

CREATE TRIGGER on_insert BEFORE INSERT ON account_rows EXECUTE FUNCTION gate_trigger('insert');
CREATE TRIGGER on_update BEFORE UPDATE ON account_rows EXECUTE FUNCTION gate_trigger('update');
CREATE TRIGGER on_delete BEFORE DELETE ON account_rows EXECUTE FUNCTION gate_trigger('delete');
CREATE CONSTRAINT TRIGGER on_commit AFTER UPDATE ON account_rows DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION gate_trigger('commit');

CREATE TRIGGER on_insert BEFORE INSERT ON outbox EXECUTE FUNCTION gate_trigger('insert');
CREATE TRIGGER on_delete BEFORE DELETE ON outbox EXECUTE FUNCTION gate_trigger('delete');
