interface ScriptAddressPolicy {
  createScriptURL(address: string): string;
}

declare global {
  // Absent in browsers without Trusted Types; the others refuse a plain text as the address of a worker.
  // A worker that starts another one has it, too, and no window.
  var trustedTypes:
    | { createPolicy(name: string, rules: ScriptAddressPolicy): ScriptAddressPolicy }
    | undefined;
}

/** A file that our build made: the page's own origin, and nothing behind the name. */
export function isOwnWorker(address: string, page: string): boolean {
  const url = new URL(address, page);
  return url.origin === new URL(page).origin && /^\/assets\/[\w.-]+\.js$/.test(url.pathname + url.search);
}

const rules: ScriptAddressPolicy = {
  createScriptURL(address) {
    if (!import.meta.env.DEV && !isOwnWorker(address, location.href))
      throw new TypeError(`${address} is no worker of this page`);
    return address;
  },
};

// The only policy there is: the header of the page names it, and no second one can be made.
const policy = globalThis.trustedTypes?.createPolicy("workers", rules) ?? rules;

/** Start a worker whose address came from an import that ends in `?worker&url`. */
export function startWorker(address: string): Worker {
  return new Worker(policy.createScriptURL(address), { type: "module" });
}
