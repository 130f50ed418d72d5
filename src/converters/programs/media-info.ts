import { z } from 'zod';
import type { ConversionTask, Converter } from '../converter.ts';
import { audioTypes, mediaInput, runMedia, videoTypes } from './media-files.ts';

const stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});

const report = z.object({
  streams: z.array(stream).default([]),
  format: z.object({ duration: z.coerce.number().optional() }).default({}),
});

export interface MediaInfo {
  /** Seconds; null where the file does not say. */
  readonly duration: number | null;
  readonly width?: number;
  readonly height?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
}

/** @throws what ffprobe says of a file that is neither film nor sound. */
export async function mediaInfo(task: Pick<ConversionTask, 'file' | 'folder' | 'tools'>): Promise<MediaInfo> {
  const output = await runMedia(task, 'ffprobe', [
    '-of',
    'json',
    '-show_format',
    '-show_streams',
    ...mediaInput(task.file),
  ]);
  const { streams, format } = report.parse(JSON.parse(output));
  const film = streams.find((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1);
  const sound = streams.find((each) => each.codec_type === 'audio');
  if (!film && !sound) throw new Error('it has neither film nor sound');
  const isTurned =
    Math.abs(film?.side_data_list?.find(({ rotation }) => rotation)?.rotation ?? 0) % 180 === 90;
  const [width, height] = isTurned ? [film?.height, film?.width] : [film?.width, film?.height];
  return {
    duration: format.duration ?? null,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(film?.codec_name && { videoCodec: film.codec_name }),
    ...(sound?.codec_name && { audioCodec: sound.codec_name }),
  };
}

/** `{"duration": 12.5, "width": 640, "height": 360, "videoCodec": "h264", "audioCodec": "aac"}` */
export const mediaInfoConverter: Converter = {
  name: 'media2info',
  makes: 'info',
  takes: [...videoTypes, ...audioTypes],
  needs: ['ffprobe'],
  convert: async (task) => ({
    mimeType: 'application/json',
    bytes: Buffer.from(JSON.stringify(await mediaInfo(task))),
  }),
};
