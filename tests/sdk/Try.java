import java.math.BigInteger;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GenerateApi;
import org.openapitools.client.model.GenerateParameters;
import org.openapitools.client.model.GenerateRequest;
import org.openapitools.client.model.GenerateResponse;

/** java Try URL: exits 0 when the generated client generates, with the largest seed. */
public class Try {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(words[0]);
    GenerateApi api = new GenerateApi(client);
    BigInteger seed = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    GenerateParameters parameters =
        new GenerateParameters().details(true).doSample(true).maxNewTokens(8).seed(seed);
    GenerateRequest request = new GenerateRequest().textInput("今天天气很好 🙂").parameters(parameters);
    GenerateResponse first = api.generate("tiny", request, null, null);
    GenerateResponse again = api.generate("tiny", request, null, null);
    check(seed.equals(first.getDetails().getSeed()));
    check(first.getTextOutput().equals(again.getTextOutput()));
    try {
      api.generate("nobody", request, null, null);
      check(false);
    } catch (ApiException refused) {
      check(refused.getCode() == 404 && refused.getResponseBody().contains("Not Found"));
    }
  }

  private static void check(boolean holds) {
    if (!holds) throw new AssertionError();
  }
}
