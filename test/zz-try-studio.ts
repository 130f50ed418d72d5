import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import net from 'node:net';
import { serveSocket } from '/work/main/src/db/socket.ts';
const db = await PGlite.create();
const s = await serveSocket(db, 0);
const connect = async () => { const c = new pg.Client({ host:'127.0.0.1', port: s.port, user:'postgres', database:'postgres' }); c.on('error', e=>console.log('  client error', e.message)); await c.connect(); return c; };
const what = process.argv[2];
const c = await connect();
const t = (p:Promise<any>) => p.then((r:any)=>console.log('  ok', JSON.stringify(r.rows ?? r)), (e:any)=>console.log('  ', e.message));
const cases: Record<string,()=>Promise<any>> = {
 terminate: () => t(c.query('select pg_terminate_backend(pg_backend_pid())')),
 cancel: () => t(c.query('select pg_cancel_backend(pg_backend_pid())')),
 statement: async () => { await t(c.query("set statement_timeout = '200ms'; select pg_sleep(1)")); },
 idletx: async () => { await c.query('begin'); await c.query("set local idle_in_transaction_session_timeout='300ms'"); await new Promise(r=>setTimeout(r,1000)); await t(c.query('select 1')); },
 idlesession: async () => { await c.query("set idle_session_timeout='300ms'"); await new Promise(r=>setTimeout(r,1000)); await t(c.query('select 1')); },
 txtimeout: async () => { await c.query("set transaction_timeout='300ms'"); await c.query('begin');await c.query("set transaction_timeout='300ms'"); await new Promise(r=>setTimeout(r,1000)); await t(c.query('select 1')); },
 exit: async () => { await t(c.query("set exit_on_error=on; select 1/0")); },
 bad: async () => { (c as any).connection.stream.write(Buffer.from([0x40,0,0,0,4])); await new Promise(r=>setTimeout(r,500)); },
 badbind: async () => { (c as any).connection.stream.write(Buffer.from([0x42,0,0,0,6,0,0])); await new Promise(r=>setTimeout(r,500)); },
 badlen: async () => { (c as any).connection.stream.write(Buffer.from([0x51,0,0,0,0])); await new Promise(r=>setTimeout(r,500)); },
 http: async () => { const n=net.connect(s.port,'127.0.0.1'); n.on('data',d=>console.log('data',d.toString())); n.on('error',()=>{}); n.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'); await new Promise(r=>setTimeout(r,500)); },
 startup32: async () => { const n=net.connect(s.port,'127.0.0.1'); n.on('data',d=>console.log('data',d.toString())); n.on('error',()=>{}); const b=Buffer.concat([Buffer.from([0,0,0,0,0,3,0,2]),Buffer.from('user\0postgres\0\0')]); b.writeInt32BE(b.length,0); n.write(b); await new Promise(r=>setTimeout(r,500)); },
 startupbad: async () => { const n=net.connect(s.port,'127.0.0.1'); n.on('data',d=>console.log('data',d.toString())); n.on('close',()=>console.log('  closed')); n.on('error',()=>{}); const b=Buffer.concat([Buffer.from([0,0,0,0,0,3,0,0]),Buffer.from('user')]); b.writeInt32BE(b.length,0); n.write(b); await new Promise(r=>setTimeout(r,500)); },
 replication: async () => { const n=net.connect(s.port,'127.0.0.1'); n.on('data',d=>console.log('data',d.toString().slice(0,80))); n.on('close',()=>console.log('  closed')); n.on('error',()=>{}); const b=Buffer.concat([Buffer.from([0,0,0,0,0,3,0,0]),Buffer.from('user\0postgres\0replication\0true\0options\0-c search_path=x\0\0')]); b.writeInt32BE(b.length,0); n.write(b); await new Promise(r=>setTimeout(r,500)); },
 copybin: async () => { await t(c.query({ text:'copy (select 1) to stdout' })); },
 func: async () => { (c as any).connection.stream.write(Buffer.from([0x46,0,0,0,4])); await new Promise(r=>setTimeout(r,500)); },
 preparecopy: async()=>{ await t(c.query({name:'x', text:'copy pg_class from stdin', values:[]})); },
 fatal: async()=>{ await t(c.query("do $$ begin perform pg_terminate_backend(pg_backend_pid()); end $$")); },
 shutdown: async()=>{ await t(c.query("select pg_reload_conf()")); await t(c.query('checkpoint')); await t(c.query('vacuum')); },
};
await cases[what]!();
await t(db.query('select 1 as ours'));
await t(connect().then(c=>c.query('select 2 as theirs')));
process.exit(0);
