import { z } from 'zod';
import type { ConversionTask, Converter, MediaInfo } from '../converter.ts';
import { audioTypes, mediaInput, runMedia, videoTypes } from './media-files.ts';

const count = z.coerce.number().optional().catch(undefined);

/** A frame rate, which ffprobe writes as a fraction such as 30000/1001. */
const rate = z
  .string()
  .transform((text) => {
    const [over = 0, under = 1] = text.split('/').map(Number);
    const value = over / under;
    return Number.isFinite(value) && value > 0 ? Math.round(value * 1_000) / 1_000 : undefined;
  })
  .optional();

const stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  codec_long_name: z.string().optional(),
  bit_rate: count,
  avg_frame_rate: rate,
  width: z.number().optional(),
  height: z.number().optional(),
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});

const report = z.object({
  streams: z.array(stream).default([]),
  format: z.object({ duration: count, format_name: z.string().optional() }).default({}),
});

/** The maximum number of streams to store. Only malicious files have more. */
const maxStreams = 20;

/**
 * Reads the properties of a video or audio file.
 * @throws Error if ffprobe fails or the file contains neither video nor audio.
 */
export async function mediaInfo(task: Pick<ConversionTask, 'file' | 'folder' | 'tools'>): Promise<MediaInfo> {
  const args = ['-of', 'json', '-show_format', '-show_streams', ...mediaInput(task.file)];
  const { streams, format } = report.parse(JSON.parse(await runMedia(task, 'ffprobe', args)));
  const video = streams.find((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1);
  const audio = streams.find((each) => each.codec_type === 'audio');
  if (!video && !audio) throw new Error('the file has neither a video nor an audio stream');
  const isRotated =
    Math.abs(video?.side_data_list?.find(({ rotation }) => rotation)?.rotation ?? 0) % 180 === 90;
  const [width, height] = isRotated ? [video?.height, video?.width] : [video?.width, video?.height];
  return {
    duration: format.duration ?? null,
    width: width ?? null,
    height: height ?? null,
    format: format.format_name ?? null,
    frameRate: video?.avg_frame_rate ?? null,
    streams: streams.slice(0, maxStreams).map((each) => ({
      type: each.codec_type ?? null,
      codec: each.codec_name ?? null,
      streamInfo: each.codec_long_name ?? null,
      bitRate: each.bit_rate ?? null,
    })),
  };
}

export const mediaInfoConverter: Converter = {
  name: 'media2info',
  makes: 'info',
  takes: [...videoTypes, ...audioTypes],
  needs: ['ffprobe'],
  convert: async (task) => {
    const media = await mediaInfo(task);
    return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify(media)), facts: { media } };
  },
};
