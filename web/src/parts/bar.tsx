import { ProgressBar } from 'react-aria-components';

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly all: number;
}

export const Bar = ({ label, value, all }: BarProps) => (
  <ProgressBar aria-label={label} value={value} maxValue={Math.max(1, all)} className="progress">
    {({ percentage }) => (
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={percentage ?? 0} height="4" />
      </svg>
    )}
  </ProgressBar>
);
