import { EyeOff } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { useSession } from './session.ts';
import { useViewedUser, viewAs } from './view-as.ts';

/** Says that an administrator sees the console as another user does, and ends it. */
export function ViewAsBar() {
  const { user } = useSession();
  if (useViewedUser() === undefined) return null;
  return (
    <section className="view-as" aria-label={text('viewAs')}>
      <p>{text('viewAs.bar', { user: user.name })}</p>
      <Button icon={EyeOff} onPress={() => viewAs(undefined)}>
        {text('viewAs.end')}
      </Button>
    </section>
  );
}
