-- Keep the counts of an order beside it, whoever writes its samples and reads. A blank line ends a statement.

CREATE TRIGGER samples_counted_in AFTER INSERT ON samples BEGIN
    UPDATE orders SET sample_count = sample_count + 1 WHERE id = NEW.order_id;
END

CREATE TRIGGER samples_counted_out AFTER DELETE ON samples BEGIN
    UPDATE orders SET sample_count = sample_count - 1 WHERE id = OLD.order_id;
END

CREATE TRIGGER reads_counted_in AFTER INSERT ON reads WHEN NEW.is_active BEGIN
    UPDATE orders SET active_read_count = active_read_count + 1,
        cleaned_read_count = cleaned_read_count + (NEW.data_class = 'cleaned')
    WHERE id = (SELECT order_id FROM samples WHERE id = NEW.sample_id);
END

CREATE TRIGGER reads_counted_out AFTER DELETE ON reads WHEN OLD.is_active BEGIN
    UPDATE orders SET active_read_count = active_read_count - 1,
        cleaned_read_count = cleaned_read_count - (OLD.data_class = 'cleaned')
    WHERE id = (SELECT order_id FROM samples WHERE id = OLD.sample_id);
END

CREATE TRIGGER reads_counted_again AFTER UPDATE OF is_active, data_class ON reads
WHEN OLD.is_active <> NEW.is_active OR OLD.data_class <> NEW.data_class BEGIN
    UPDATE orders SET active_read_count = active_read_count + NEW.is_active - OLD.is_active,
        cleaned_read_count = cleaned_read_count + (NEW.is_active AND NEW.data_class = 'cleaned')
            - (OLD.is_active AND OLD.data_class = 'cleaned')
    WHERE id = (SELECT order_id FROM samples WHERE id = NEW.sample_id);
END
