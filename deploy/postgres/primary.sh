#!/bin/sh
# Lets replicas connect; run once, when the data are made.
set -eu
echo "host replication postgres all scram-sha-256" >> "$PGDATA/pg_hba.conf"
