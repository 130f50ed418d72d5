import { ChevronDown } from 'lucide-react';
import {
  Checkbox as AriaCheckbox,
  Select as AriaSelect,
  TextField as AriaTextField,
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
  TextArea,
} from 'react-aria-components';

export interface FieldProps {
  readonly label: string;
  readonly name?: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean;
}

/** Shows the hint and the error below a field. */
export const FieldNotes = ({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) => (
  <>
    {hint && (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="field-error">{error}</FieldError>
  </>
);

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'email' | 'search' | 'date' | 'datetime-local' | 'url';
  /** The number of lines: 1 renders an input; a higher number renders a text area. */
  readonly rows?: number;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Set for fields that contain numbers: `numeric` for integers, `decimal` for other numbers. */
  readonly inputMode?: 'numeric' | 'decimal';
  /** The latest time that a `datetime-local` input accepts. */
  readonly max?: string;
}

export const TextField = ({
  label,
  error,
  hint,
  rows = 1,
  type = 'text',
  placeholder,
  max,
  ...props
}: TextFieldProps) => (
  <AriaTextField {...props} type={type as 'text'} isInvalid={error !== undefined} className="field">
    <Label>{label}</Label>
    {rows > 1 ? (
      <TextArea rows={rows} className="input" />
    ) : (
      <Input className="input" placeholder={placeholder} max={max} />
    )}
    <FieldNotes hint={hint} error={error} />
  </AriaTextField>
);

interface PasswordFieldProps
  extends Pick<TextFieldProps, 'label' | 'value' | 'onChange' | 'name' | 'autoFocus'> {
  readonly isNew?: boolean;
}

/** A field for a password. Browsers can fill in the current password, or generate a new one. */
export const PasswordField = ({ isNew = false, ...props }: PasswordFieldProps) => (
  <TextField
    {...props}
    type="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    isRequired
  />
);

interface CheckboxProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (value: boolean) => void;
  readonly isReadOnly?: boolean;
  /** Whether the checkbox is indeterminate because the value is not set. */
  readonly isIndeterminate?: boolean;
}

export const Checkbox = ({ label, ...props }: CheckboxProps) => (
  <AriaCheckbox {...props} className="checkbox">
    <span className="box" aria-hidden />
    {label}
  </AriaCheckbox>
);

export interface Option {
  readonly id: string;
  readonly label: string;
}

interface SelectProps extends FieldProps {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly options: readonly Option[];
  readonly placeholder?: string;
}

export const Select = ({ label, error, hint, value, onChange, options, ...props }: SelectProps) => (
  <AriaSelect
    {...props}
    selectedKey={value}
    onSelectionChange={(key) => onChange(String(key))}
    isInvalid={error !== undefined}
    className="field"
  >
    <Label>{label}</Label>
    <Button className="input select">
      <SelectValue />
      <ChevronDown size={16} aria-hidden />
    </Button>
    <FieldNotes hint={hint} error={error} />
    <Popover className="popover">
      <ListBox items={options} className="list-box">
        {({ id, label: shown }) => (
          <ListBoxItem id={id} textValue={shown} className="option">
            {shown}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaSelect>
);
