/** Lets the user choose a file. `onPick` is not called if the user chooses none. */
export function pickFile(onPick: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.hidden = true;
  input.onchange = () => {
    input.remove();
    const file = input.files?.[0];
    if (file) onPick(file);
  };
  input.oncancel = () => input.remove();
  document.body.append(input); // Safari ignores inputs that are not in the page.
  input.click();
}
