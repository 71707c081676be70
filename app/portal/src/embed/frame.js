// Runs in a frame on a shop's page. Reports the height of this page and the shopper's step to that page, and receives the order and the
// visible part of the frame from it. public/embed.js is its counterpart.
(() => {
  const { origins, home } = document.currentScript.dataset;
  if (parent === window) return;
  // Only origins that may show this page receive messages. If the browser names the origin of the parent, only that one.
  const [above] = location.ancestorOrigins ?? [];
  const targets = origins.split(' ').filter((origin) => !above || origin === above);
  const tell = (type, data) => targets.forEach((origin) => parent.postMessage({ type: `retour:${type}`, ...data }, origin));

  const [page, returnOrderId] = location.pathname.slice(home.length).split('/').filter(Boolean);
  const steps = { purchases: 'choose', review: 'review', returns: returnOrderId ? 'return' : 'returns', pay: 'pay', withdraw: 'withdraw' };
  const step = page ? steps[page] : 'look-up';
  const cameFrom = document.referrer && new URL(document.referrer).pathname.slice(home.length);
  const [visit] = performance.getEntriesByType('navigation');

  // If the browser keeps no cookies in frames, the look-up opens in a new tab.
  if (step === 'look-up' && !/(^|; )retour-probe=/.test(document.cookie)) {
    document.querySelector('form.lookup')?.setAttribute('target', '_blank');
    document.querySelector('.own-tab')?.removeAttribute('hidden');
  }

  const height = () => tell('height', { height: Math.ceil(document.body.getBoundingClientRect().height) });
  const slide = (part, by) => part && (part.style.transform = by ? `translateY(${by}px)` : '');
  const heard = {
    fit() {
      document.documentElement.classList.add('fitted');
      height();
      new ResizeObserver(height).observe(document.body);
    },
    order({ orderNumber, email, postalCode }) {
      const fill = (field, text) => field && text && !field.value && (field.value = String(text).slice(0, 320));
      const proof = document.querySelector('#proof');
      fill(document.querySelector('#order'), orderNumber);
      fill(proof, { email, postalCode }[proof?.name] ?? email ?? postalCode);
    },
    // Elements that stay in view do so in a frame too, although the shop's page scrolls.
    view({ above, below }) {
      const bar = document.querySelector('.bar');
      const foot = document.querySelector('.foot')?.offsetHeight ?? 0; // it is below the bar
      slide(bar, -Math.min(Math.max(0, below - foot), Math.max(0, (bar?.offsetTop ?? 0) - 80)));
      const stay = document.querySelector('.stay');
      if (!stay || getComputedStyle(stay).position !== 'relative') return slide(stay, 0);
      const room = stay.parentElement.clientHeight - stay.offsetHeight;
      slide(stay, Math.min(Math.max(0, above + 16 - stay.parentElement.offsetTop), Math.max(0, room)));
    },
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !targets.includes(origin) || typeof data?.type !== 'string') return;
    const [, type] = data.type.split('retour:');
    if (Object.hasOwn(heard, type ?? '')) heard[type](data);
  });
  // Only keyboard focus: scrolling would move an element away from the mouse that is clicking it.
  addEventListener('focusin', ({ target }) => {
    if (!target.matches(':focus-visible')) return;
    const { top, bottom } = target.getBoundingClientRect();
    tell('focus', { top, bottom });
  });

  tell('step', { step, returnOrderId });
  const isSent = step === 'return' && /^\/(review|pay\/)/.test(cameFrom) && visit?.type === 'navigate';
  if (isSent) tell('completed', { returnOrderId });
})();
