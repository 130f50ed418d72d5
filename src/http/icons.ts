import express, { type RequestHandler } from 'express';
import { iconsFolder } from '../model/icons.ts';

/** Serves the icons of document types (§3), which browsers load without credentials. */
export const icons: RequestHandler = express.static(iconsFolder, {
  index: false,
  redirect: false,
  maxAge: '1d',
  dotfiles: 'ignore',
});
