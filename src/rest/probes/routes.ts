import { get, type Route } from '../route.ts';

export const probeRoutes: readonly Route[] = [
  get('/management/probes', ({ probes }) => ({ probes }), {
    name: 'getProbes',
    summary: 'The state of the services that the server depends on',
    isHidden: true,
  }),
];
