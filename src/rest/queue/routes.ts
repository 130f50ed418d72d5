import { call, input, queryArguments } from '../../selection/selection.ts';
import { del, get, partArguments, postWithoutBody, type Route } from '../route.ts';

const page = { ...queryArguments('state', 'kind'), ...partArguments };
const byId = { id: input('address.id') };

export const queueRoutes: readonly Route[] = [
  get('/management/jobs', ({ jobs }) => ({ jobs: call(page, jobs) }), {
    name: 'getJobs',
    summary: 'List jobs that are waiting, running or set aside after failing repeatedly, newest first',
    isHidden: true,
  }),
  postWithoutBody('/management/jobs/:id/run', () => ({ runJob: call(byId) }), {
    name: 'runJob',
    summary: 'Run a waiting or set-aside job now, and reset its number of attempts',
    status: 204,
    isHidden: true,
  }),
  del('/management/jobs/:id', () => ({ dropJob: call(byId) }), {
    name: 'dropJob',
    summary: 'Delete a job that was set aside',
    isHidden: true,
  }),
];
