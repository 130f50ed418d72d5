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
 * Options that restrict ffmpeg to local files and to container formats. Playlist formats are excluded, because they
 * could make ffmpeg read other files or send requests to other servers.
 */
const safeInput = [
  ['-protocol_whitelist', 'file'],
  [
    '-format_whitelist',
    'mov,mp4,m4a,matroska,webm,avi,mpeg,mpegts,mpegvideo,ogg,flv,asf,mp3,aac,wav,flac,aiff,amr,3gp',
  ],
].flat();

/** The maximum CPU time of one run, in seconds. */
const maxSeconds = 15;

/**
 * Runs ffmpeg or ffprobe and returns its output. @throws Error with the program's error message if the program fails.
 */
export const runMedia = async (
  { tools, folder }: Pick<ConversionTask, 'tools' | 'folder'>,
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
): Promise<string> => {
  const path = programPath(tools, program);
  const run = { path, args: ['-v', 'error', ...args], folder, seconds: maxSeconds, tools };
  return (await runProgram(run)).output;
};

export const mediaInput = (file: string): string[] => [...safeInput, '-i', file];
