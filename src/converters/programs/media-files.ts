import type { ConversionTask } from '../converter.ts';
import { programPath } from './programs.ts';
import { runProgram } from './run-program.ts';

export const videoTypes = [
  'mp4',
  'x-m4v',
  'quicktime',
  'webm',
  'x-matroska',
  'matroska',
  'x-msvideo',
  'vnd.avi',
  'mpeg',
  'mp2t',
  'ogg',
  'x-flv',
  'x-ms-wmv',
  'x-ms-asf',
  '3gpp',
].map((type) => `video/${type}`);

export const audioTypes = [
  'mpeg',
  'mp4',
  'x-m4a',
  'aac',
  'wav',
  'x-wav',
  'flac',
  'x-flac',
  'ogg',
  'opus',
  'webm',
  'aiff',
  'x-aiff',
  'amr',
].map((type) => `audio/${type}`);

/**
 * Playlists name other files: only formats that contain what is played are read, and only from the disk.
 */
const safely = [
  ['-protocol_whitelist', 'file'],
  [
    '-format_whitelist',
    'mov,mp4,m4a,matroska,webm,avi,mpeg,mpegts,mpegvideo,ogg,flv,asf,mp3,aac,wav,flac,aiff,amr,3gp',
  ],
].flat();

/** Seconds of work that one run may take. */
const mostSeconds = 15;

export const runMedia = async (
  { tools, folder }: Pick<ConversionTask, 'tools' | 'folder'>,
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
): Promise<string> => {
  const path = programPath(tools, program);
  const run = { path, args: ['-v', 'error', ...args], folder, seconds: mostSeconds, tools };
  return (await runProgram(run)).output;
};

export const mediaInput = (file: string): string[] => [...safely, '-i', file];
