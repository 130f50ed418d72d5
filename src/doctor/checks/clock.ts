import { clockTolerance } from '../../auth/oidc/clients.ts';
import { databaseClockLead } from '../../store/probes/database-state.ts';
import { type Finding, foundIf, type HealthCheck } from '../check.ts';

/** The difference in milliseconds that is reported for the database. */
const maxDatabaseLead = 1_000;

const timeout = 5_000;

/** Returns by how many milliseconds the clock of an HTTP server is ahead; undefined if it does not send its time. */
async function clockLeadOf(url: string): Promise<number | undefined> {
  try {
    const { headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const date = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(date) ? undefined : date - Date.now();
  } catch {
    return undefined; // The check of sign-on reports providers that do not respond.
  }
}

const directionOf = (lead: number): string =>
  `${(Math.abs(lead) / 1000).toFixed(1)} seconds ${lead > 0 ? 'ahead of' : 'behind'}`;

const remedy = 'Synchronize the clocks of both machines, for example with chrony.';

/** Compares the clock of this machine with those of the database and of the identity providers. */
export const clockCheck: HealthCheck = {
  name: 'clock',
  run: async ({ database, identityProviders }) => {
    const findings: Finding[] = [];
    const lead = await databaseClockLead(await database());
    if (Math.abs(lead) > maxDatabaseLead)
      findings.push({
        level: 'fault',
        problem: `The clock of the database is ${directionOf(lead)} that of this machine.`,
        reason: 'Sign-ins, links and scheduled emails begin and end at the wrong time.',
        remedy,
      });
    // If the providers cannot be read, the check of sign-on reports it.
    for (const provider of await identityProviders().catch(() => [])) {
      if (provider.kind !== 'oidc') continue;
      const difference = await clockLeadOf(provider.issuer);
      findings.push(
        ...foundIf(
          difference !== undefined &&
            Math.abs(difference) > clockTolerance * 1000 && {
              level: 'fault',
              problem: `The clock of ${provider.label} is ${directionOf(difference)} that of this machine.`,
              reason: `Its tokens are rejected, because clocks can differ by at most ${clockTolerance} seconds.`,
              remedy,
            },
        ),
      );
    }
    return findings;
  },
};
