import { WifiOff } from 'lucide-react';
import { text } from '../texts/text.ts';
import { useOnline } from './online.ts';

/** Tells the user that the browser is offline. Requests wait until the network is available again. */
export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status" className="offline">
      {!isOnline && (
        <p>
          <WifiOff size={16} aria-hidden /> {text('offline')}
        </p>
      )}
    </div>
  );
}
