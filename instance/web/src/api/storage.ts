/** Store a text in this browser; answer whether it is stored: a storage may be full, and nobody is stopped by that. */
export function storeText(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
