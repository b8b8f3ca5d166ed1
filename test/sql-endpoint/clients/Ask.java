import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;

/** The JDBC driver: metadata as tools ask for it, a prepared statement, a refusal. */
public class Ask {
  public static void main(String[] arguments) throws Exception {
    Class.forName("com.clickhouse.jdbc.Driver");
    String url = "jdbc:clickhouse://127.0.0.1:" + System.getenv("SQL_PORT") + "/rollcall?compress=0";
    try (Connection connection = DriverManager.getConnection(url, "any", System.getenv("TOKEN"))) {
      var tables = new ArrayList<String>();
      try (ResultSet rows = connection.getMetaData().getTables(null, "rollcall", "assignments%", null)) {
        while (rows.next()) tables.add("\"" + rows.getString("TABLE_NAME") + "\"");
      }
      String refused = "";
      try (PreparedStatement people = connection.prepareStatement("SELECT * FROM people")) {
        people.executeQuery();
      } catch (SQLException error) {
        refused = error.getMessage();
      }
      String sql = "SELECT count(), countIf(overdue), toDateTime64('2026-01-02 03:04:05', 3, 'UTC') FROM assignments WHERE life >= ?";
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, 0);
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
          System.out.printf(
              "{\"assigned\": %d, \"overdue\": %d, \"values\": [\"%s\"], \"tables\": [%s], \"refused\": %b}%n",
              rows.getLong(1), rows.getLong(2), rows.getTimestamp(3).toInstant(), String.join(", ", tables), refused.contains("ACCESS_DENIED"));
        }
      }
    }
  }
}
