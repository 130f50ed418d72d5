import { get, type Route } from '../route.ts';

export const probeRoutes: readonly Route[] = [
  get('/management/probes', ({ probes }) => ({ probes }), {
    name: 'getProbes',
    summary: 'Whether what the server needs is there',
    isHidden: true,
  }),
];
