import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { metricsSurface } from '../promises/surfaces.ts';
import { read, root } from './tree.ts';

const folder = join(root, 'deploy/monitoring');
const rules = read('deploy/monitoring/alerts.yml');
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path));

const run = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(promtool ?? '', args, { cwd: folder });
  return `${stdout}${stderr}`;
};

(promtool ? test : test.skip)(
  'promtool accepts the rules and the configuration, and every alert fires when it should',
  async () => {
    expect(await run('check', 'rules', 'alerts.yml')).toContain(`${alerts.length} rules found`);
    expect(await run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    expect(await run('check', 'config', '--syntax-only', 'prometheus.yml')).toContain('SUCCESS');
  },
);

test('each alert is provoked by a test, and has a section in the runbook to which it links', () => {
  expect(alerts.length).toBeGreaterThan(10);
  const tests = read('deploy/monitoring/alerts.test.yml');
  const sections = [...read('deploy/monitoring/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(alerts);
  for (const alert of alerts) {
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\n +exp_alerts:\n`));
    expect(rules).toContain(`/docs/runbook#${alert.toLowerCase()}\n`);
  }
});

test('the alerts and the dashboard use only metrics and labels that the server has', () => {
  const surface = metricsSurface();
  const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
    panels: ReadonlyArray<{ targets: ReadonlyArray<{ expr: string }> }>;
  };
  const expressions = [rules, ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  const used = expressions.flatMap((text) => [...text.matchAll(/\b([a-z]\w*)\{([^}]*)\}/g)]);
  expect(used.length).toBeGreaterThan(30);
  const unknown = used.flatMap(([, name = '', selectors = '']) => {
    if (name === 'up') return [];
    const metric = surface.get(name) ?? surface.get(name.replace(/_(bucket|count|sum)$/, ''));
    const labels = [...selectors.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label);
    const own = labels.filter((label) => !['job', 'instance'].includes(label) && !metric?.has(`{${label}}`));
    return metric && own.length === 0 ? [] : [`${name} ${own.join(' ')}`];
  });
  expect(unknown).toEqual([]);
});
