import { createReadStream, createWriteStream } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startS3Server } from '../test/support/s3-server.ts';

// A hand-written file server that supports PUT and GET of /NAME. It stores files in FOLDER with Node's streams, or
// in a bucket of the S3 server at ENDPOINT with the AWS SDK. If S3_SERVER is set, the program acts as that S3
// server instead.

const { PORT, FOLDER = '', ENDPOINT, S3_SERVER } = process.env;

const client =
  ENDPOINT === undefined
    ? undefined
    : new S3Client({ endpoint: ENDPOINT, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' });

async function put(name: string, request: IncomingMessage): Promise<void> {
  if (!client) return pipeline(request, createWriteStream(join(FOLDER, name)));
  const ContentLength = Number(request.headers['content-length']);
  await client.send(new PutObjectCommand({ Bucket: 'quire', Key: name, Body: request, ContentLength }));
}

async function open(name: string): Promise<Readable> {
  if (!client) return createReadStream(join(FOLDER, name));
  return (await client.send(new GetObjectCommand({ Bucket: 'quire', Key: name }))).Body as Readable;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = (request.url ?? '').slice(1);
  if (name === 'health/ready') return void response.end();
  if (request.method === 'GET') return pipeline(await open(name), response);
  await put(name, request);
  response.writeHead(201).end();
}

if (S3_SERVER) {
  const { endpoint } = await startS3Server(FOLDER);
  createServer((_, response) => response.end(endpoint)).listen(Number(PORT), '127.0.0.1');
} else {
  createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  }).listen(Number(PORT), '127.0.0.1');
}
