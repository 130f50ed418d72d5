import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { chooseLanguage, type Language, language, languageNames, languages } from '../texts/language.ts';
import { text } from '../texts/text.ts';

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
        <span lang={each}>{languageNames[each]}</span>
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);
