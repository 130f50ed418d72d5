// SIGUSR2 ends a process that has no handler, and `systemctl reload` may send it while the rest is loaded.
process.on('SIGUSR2', () => {
  if (process.listenerCount('SIGUSR2') === 1)
    process.stderr.write('SIGUSR2 is ignored: there are no workers to replace yet\n');
});

await import('./start.ts');
