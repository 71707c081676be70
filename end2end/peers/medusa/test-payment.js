// Accepts every payment. The data of the payment session controls refunds:
//   refund: 'throw'     the provider refuses;   refundDelay: 3000   it is slow (ms)
const { setTimeout } = require('node:timers/promises');
const { AbstractPaymentProvider, ModuleProvider, Modules } = require('@medusajs/framework/utils');

class TestPayment extends AbstractPaymentProvider {
  static identifier = 'test';
  async initiatePayment({ data }) {
    return { id: `pay_${Date.now()}`, data: { ...data } };
  }
  async updatePayment({ data }) {
    return { data };
  }
  async authorizePayment({ data }) {
    return { data, status: 'authorized' };
  }
  async getPaymentStatus({ data }) {
    return { data, status: 'authorized' };
  }
  async capturePayment({ data }) {
    return { data };
  }
  async refundPayment({ data }) {
    if (data.refundDelay) await setTimeout(data.refundDelay);
    if (data.refund === 'throw') throw new Error('the payment provider is down');
    return { data };
  }
  async cancelPayment({ data }) {
    return { data };
  }
  async deletePayment({ data }) {
    return { data };
  }
  async retrievePayment({ data }) {
    return { data };
  }
  async getWebhookActionAndData() {
    return { action: 'not_supported' };
  }
}

module.exports = ModuleProvider(Modules.PAYMENT, { services: [TestPayment] });
