import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { chooseLanguage, type Language, language, languages } from '../texts/language.ts';
import { text } from '../texts/text.ts';

const names: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français' };

export const LanguageChoice = ({ onChoose }: { readonly onChoose: () => void }) => (
  <ToggleButtonGroup
    aria-label={text('language')}
    className="language"
    selectedKeys={[language()]}
    disallowEmptySelection
    onSelectionChange={([chosen]) => {
      chooseLanguage(chosen as Language);
      onChoose();
    }}
  >
    {languages.map((each) => (
      <ToggleButton key={each} id={each} className="toggle">
        <span lang={each}>{names[each]}</span>
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
