-- The requests on their way, those that entered the stage first at the beginning, with their returns: the parcels without news
-- are counted by the index alone.
CREATE INDEX return_requests_in_transit ON return_requests (account_id, staged, stage_since, return_order_id)
    WHERE stage = 'Shipment: In Transit';
