import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ChangePassword, passwordOrigin } from '../app/change-password.tsx';
import { useTitle } from '../app/title.ts';
import { useAnswer } from '../graphql/client.ts';
import { type OwnPasswordQuery, ownAccess } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Shares } from '../permissions/shares.tsx';
import { text } from '../texts/text.ts';
import { Applications, AppPasswords, Sessions } from './access.tsx';
import { LinkedAccounts, usesPassword } from './linked-accounts.tsx';
import { SecondFactor } from './second-factor.tsx';

function Password(signIn: OwnPasswordQuery['me']['signIn']) {
  const [isChanging, setChanging] = useState(false);
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('account.password')}</h2>
        {signIn.hasPassword && (
          <Button icon={KeyRound} onPress={() => setChanging(true)}>
            {text('password.change')}
          </Button>
        )}
      </div>
      {!signIn.hasPassword && <p className="hint">{passwordOrigin(signIn)}</p>}
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </section>
  );
}

/** Shows how the user signs in, the user's sessions, app passwords and applications, and what the user has shared. */
export function Account() {
  useTitle(text('account.title'));
  const { data, error } = useAnswer(ownAccess, {}, { staleTime: 0 });
  return (
    <>
      <header className="screen-head">
        <h1>{text('account.title')}</h1>
      </header>
      <div className="stack">
        {error && <Failure error={error} />}
        {!error && !data && <Loading />}
        {data && (
          <>
            <Password {...data.me.signIn} />
            <LinkedAccounts {...data.me.signIn} />
            {(data.secondFactor.isOn || usesPassword(data.me.signIn)) && (
              <SecondFactor {...data.secondFactor} />
            )}
            <Sessions {...data.sessions} />
            <AppPasswords {...data.tokens} />
            <Applications {...data.grants} />
            <Shares isOwn />
          </>
        )}
      </div>
    </>
  );
}
