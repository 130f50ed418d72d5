#!/bin/sh
# Lets replicas connect; run once, when the data are made.
set -eu
echo "host replication postgres all scram-sha-256" >> "$PGDATA/pg_hba.conf"
# What a replica has missed is kept for it up to here: beyond, it must be copied anew.
echo "max_slot_wal_keep_size = 10GB" >> "$PGDATA/postgresql.conf"
