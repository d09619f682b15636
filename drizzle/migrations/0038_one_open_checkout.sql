-- Two tabs make one charge: a subscription to one page is opened once at a time. A trigger and no index, because rows of before may be two.
CREATE TRIGGER subscriptions_one_open BEFORE INSERT ON subscriptions WHEN NEW.status = 'incomplete'
BEGIN
  SELECT RAISE(ABORT, 'checkout_open') WHERE EXISTS (SELECT 1 FROM subscriptions s WHERE s.creator_id = NEW.creator_id AND s.fan_id = NEW.fan_id AND s.status = 'incomplete');
END;
