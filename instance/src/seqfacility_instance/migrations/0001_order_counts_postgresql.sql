-- Keep the counts of an order beside it, whoever writes its samples and reads. A blank line ends a statement.
-- Once for each statement, not for each row: five thousand updates of one order in a transaction are slow.

CREATE FUNCTION count_samples() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders SET sample_count = sample_count + moved.count FROM (
        SELECT order_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS count
        FROM changed GROUP BY order_id
    ) AS moved WHERE orders.id = moved.order_id;
    RETURN NULL;
END $$

CREATE TRIGGER samples_counted_in AFTER INSERT ON samples
REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_samples()

CREATE TRIGGER samples_counted_out AFTER DELETE ON samples
REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_samples()

CREATE FUNCTION count_read() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    active integer := 0;
    cleaned integer := 0;
BEGIN
    IF TG_OP <> 'DELETE' AND NEW.is_active THEN
        active := 1;
        cleaned := (NEW.data_class = 'cleaned')::integer;
    END IF;
    IF TG_OP <> 'INSERT' AND OLD.is_active THEN
        active := active - 1;
        cleaned := cleaned - (OLD.data_class = 'cleaned')::integer;
    END IF;
    IF active <> 0 OR cleaned <> 0 THEN
        UPDATE orders
        SET active_read_count = active_read_count + active, cleaned_read_count = cleaned_read_count + cleaned
        WHERE id = (SELECT order_id FROM samples
            WHERE id = CASE TG_OP WHEN 'DELETE' THEN OLD.sample_id ELSE NEW.sample_id END);
    END IF;
    RETURN NULL;
END $$

CREATE TRIGGER reads_counted AFTER INSERT OR DELETE OR UPDATE OF is_active, data_class ON reads
FOR EACH ROW EXECUTE FUNCTION count_read()
