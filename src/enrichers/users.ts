export * from './userprofile.ts';
