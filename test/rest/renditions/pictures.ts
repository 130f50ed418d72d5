import sharp from 'sharp';

/** A picture of one color. */
export const picture = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#1f5fa8' } })
    .toFormat(format)
    .toBuffer();
