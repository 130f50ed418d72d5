import { look } from './look.ts';

/** The organization's logo and name. */
export const Brand = () => (
  <>
    {look.hasLogo && <img className="logo" src="console-logo" alt="" />}
    {look.name}
  </>
);
