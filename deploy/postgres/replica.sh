#!/bin/sh
# Copies the primary once, and follows it from then on. A copy that was broken off is made anew.
set -eu
primary="host=primary user=postgres dbname=postgres password=$POSTGRES_PASSWORD"
copy() {
  rm -rf "$PGDATA.new" &&
    psql -q -v ON_ERROR_STOP=1 -o /dev/null -d "$primary" \
      -c "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'replica'" \
      -c "SELECT pg_create_physical_replication_slot('replica', true)" &&
    pg_basebackup -D "$PGDATA.new" -R -S replica -X stream -c fast -d "$primary application_name=replica"
}
if [ ! -d "$PGDATA" ]; then
  until copy; do sleep 2; done
  mv "$PGDATA.new" "$PGDATA"
fi
exec postgres
