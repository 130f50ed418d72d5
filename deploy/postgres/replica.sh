#!/bin/sh
# Copies the primary once, and follows it from then on.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup -D "$PGDATA" -R -X stream -c fast \
    -d "host=primary user=postgres password=$POSTGRES_PASSWORD application_name=replica"; do
    sleep 2
  done
  chmod 700 "$PGDATA"
fi
exec postgres
